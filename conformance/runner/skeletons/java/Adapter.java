// The adapter of NAME: fill in the four methods, and leave the rest as it is. Runs from source: java Adapter.java
import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Adapter {
    /** What extractJson throws: a code, and the preview where the original's message holds one, else null. */
    static class ExtractException extends RuntimeException {
        final String code;
        final String preview;

        ExtractException(String code, String preview) {
            super(code);
            this.code = code;
            this.preview = preview;
        }
    }

    /** What jsonParse throws. */
    static class SyntaxException extends RuntimeException {}

    // To be filled in. A value is null, Boolean, BigInteger, Double, String, List or LinkedHashMap.

    /** The value of a strict JSON text; throws a SyntaxException. */
    static Object jsonParse(String text) {
        throw new UnsupportedOperationException("TODO: json_parse");
    }

    /** The text of the first object, or `text` itself. */
    static String extractJsonObject(String text) {
        throw new UnsupportedOperationException("TODO: extract_json_object");
    }

    /** The value; throws an ExtractException("invalid-input" | "no-json" | "unbalanced" | "parse-failed", preview). */
    static Object extractJson(String text) {
        throw new UnsupportedOperationException("TODO: extract_json");
    }

    /** The value, null on any failure. */
    static Object tryExtractJson(String text) {
        try {
            return extractJson(text);
        } catch (ExtractException error) {
            return null;
        }
    }

    // The protocol. Nothing below needs to change.

    static final String HELLO = "{\"protocol\":1,\"implementation\":\"NAME\",\"version\":\"0\",\"language\":\"java\","
        + "\"operations\":[\"json_parse\",\"extract_json_object\",\"extract_json\",\"try_extract_json\"],"
        + "\"host\":{\"strings\":\"utf16\",\"ill_formed\":\"kept\",\"integers\":\"exact\",\"numbers\":\"typed\",\"key_order\":\"kept\"}}";
    static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);
    static final int DEEPEST = 200;

    static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) i++;
            else if (Character.isSurrogate(unit)) return false;
        }
        return true;
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') out.append('\\').append(unit);
            else if (unit < 0x20 || unit > 0x7e) out.append(String.format("\\u%04x", (int) unit));
            else out.append(unit);
        }
        return out.append('"').toString();
    }

    static String string(String text) {
        if (wellFormed(text)) return quoted(text);
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) hex.append(String.format("%04x", (int) text.charAt(i)));
        return "{\"$u16\":\"" + hex + "\"}";
    }

    static String scalar(Object value) {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof String) return string((String) value);
        if (value instanceof Double) return String.format("{\"$f\":\"%016x\"}", Double.doubleToRawLongBits((Double) value));
        BigInteger number = (BigInteger) value;
        return number.abs().compareTo(EXACT) < 0 ? number.toString() : "{\"$i\":\"" + number + "\"}";
    }

    static boolean tagged(Object value, int depth, StringBuilder out) {
        if (!(value instanceof List) && !(value instanceof Map)) {
            out.append(scalar(value));
            return true;
        }
        if (depth == DEEPEST) return false;
        String comma = "";
        out.append(value instanceof List ? "[" : "{\"$o\":[");
        if (value instanceof List) {
            for (Object item : (List<?>) value) {
                out.append(comma);
                if (!tagged(item, depth + 1, out)) return false;
                comma = ",";
            }
        } else {
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                out.append(comma).append('[').append(string((String) member.getKey())).append(',');
                if (!tagged(member.getValue(), depth + 1, out)) return false;
                out.append(']');
                comma = ",";
            }
        }
        out.append(value instanceof List ? "]" : "]}");
        return true;
    }

    /** A string that stands for an event, not for a value. */
    static class Event {
        final String text;

        Event(String text) {
            this.text = text;
        }
    }

    static String flat(Object value) {
        StringBuilder out = new StringBuilder("{\"$flat\":[");
        ArrayList<Object> stack = new ArrayList<>();
        stack.add(value);
        String comma = "";
        while (!stack.isEmpty()) {
            Object top = stack.remove(stack.size() - 1);
            out.append(comma);
            comma = ",";
            if (top instanceof Event) {
                out.append(((Event) top).text);
            } else if (top instanceof List) {
                out.append("\"[\"");
                stack.add(new Event("\"]\""));
                List<?> items = (List<?>) top;
                for (int i = items.size() - 1; i >= 0; i--) stack.add(items.get(i));
            } else if (top instanceof Map) {
                out.append("\"{\"");
                stack.add(new Event("\"}\""));
                ArrayList<Map.Entry<?, ?>> members = new ArrayList<>(((Map<?, ?>) top).entrySet());
                Collections.reverse(members);
                for (Map.Entry<?, ?> member : members) {
                    stack.add(member.getValue());
                    stack.add(new Event("[\"k\"," + string((String) member.getKey()) + "]"));
                }
            } else {
                out.append("[\"v\",").append(scalar(top)).append(']');
            }
        }
        return out.append("]}").toString();
    }

    static String wire(Object value) {
        StringBuilder out = new StringBuilder();
        return tagged(value, 0, out) ? out.toString() : flat(value);
    }

    static String value(Object value) {
        return "\"outcome\":\"value\",\"value\":" + wire(value);
    }

    static String operate(String op, String text) {
        switch (op) {
            case "json_parse":
                try {
                    return value(jsonParse(text));
                } catch (SyntaxException error) {
                    return "\"outcome\":\"error\",\"code\":\"syntax\"";
                }
            case "extract_json_object":
                String found = extractJsonObject(text);
                return found.equals(text) ? "\"outcome\":\"unchanged\"" : "\"outcome\":\"found\",\"text\":" + string(found);
            case "extract_json":
                try {
                    return value(extractJson(text));
                } catch (ExtractException error) {
                    String preview = error.preview == null ? "" : ",\"preview\":" + string(error.preview);
                    return "\"outcome\":\"error\",\"code\":" + quoted(error.code) + preview;
                }
            case "try_extract_json":
                Object result = tryExtractJson(text);
                return result == null ? "\"outcome\":\"null\"" : value(result);
            default:
                return "\"outcome\":\"unsupported\"";
        }
    }

    static String given(Map<?, ?> input) {
        if (input.get("text") instanceof String) return (String) input.get("text");
        if (input.get("utf16") instanceof String) {
            String hex = (String) input.get("utf16");
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < hex.length(); i += 4) text.append((char) Integer.parseInt(hex.substring(i, i + 4), 16));
            return text.toString();
        }
        throw new UnsupportedOperationException("an input that is no text");
    }

    static String answer(Map<?, ?> request) {
        String result;
        try {
            result = operate((String) request.get("op"), given((Map<?, ?>) request.get("input")));
        } catch (RuntimeException | StackOverflowError error) {
            result = "\"outcome\":\"failed\",\"message\":" + string(String.valueOf(error));
        }
        return "{\"id\":" + request.get("id") + "," + result + "}";
    }

    /** Reads the requests, which are well-formed JSON in ASCII. Numbers stay text. */
    static class Reader {
        final String text;
        int at;

        Reader(String text) {
            this.text = text;
        }

        char space() {
            while (text.charAt(at) <= ' ') at++;
            return text.charAt(at);
        }

        Object read() {
            char first = space();
            if (first == '"') return string();
            if (first == '{') {
                LinkedHashMap<String, Object> object = new LinkedHashMap<>();
                for (at++; space() != '}'; ) {
                    String key = string();
                    space();
                    at++;
                    object.put(key, read());
                    if (space() == ',') at++;
                    space();
                }
                at++;
                return object;
            }
            if (first == '[') {
                ArrayList<Object> array = new ArrayList<>();
                for (at++; space() != ']'; ) {
                    array.add(read());
                    if (space() == ',') at++;
                }
                at++;
                return array;
            }
            int start = at;
            while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
            return new StringBuilder(text.substring(start, at));
        }

        String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char unit = text.charAt(at);
                if (unit != '\\') {
                    out.append(unit);
                    continue;
                }
                char escape = text.charAt(++at);
                int plain = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else out.append(plain < 0 ? escape : "\b\f\n\r\t".charAt(plain));
            }
            at++;
            return out.toString();
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 18);
        BufferedOutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 18);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<?, ?> message = (Map<?, ?>) new Reader(line).read();
            if (message.containsKey("bye")) {
                out.flush();
                System.exit(0);
            }
            String reply = message.containsKey("hello") ? HELLO : answer(message);
            out.write((reply + "\n").getBytes(StandardCharsets.US_ASCII));
            if (!in.ready()) out.flush();
        }
        System.exit(1);
    }
}
