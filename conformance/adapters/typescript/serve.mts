/** The adapter's end of the protocol: lines in, lines out. See PROTOCOL.md. */
import { writeSync } from 'node:fs';
import { toLine, type Wire } from './wire.mts';

export type Answer = { readonly [member: string]: Wire };
export type Input = Readonly<Record<string, unknown>>;

/** Serve requests until `bye`, which ends the process. All that one chunk of input asks is answered in one write. */
export async function serve(hello: Wire, answer: (op: unknown, input: Input) => Answer): Promise<void> {
  const reply = (line: string): string | undefined => {
    const message = JSON.parse(line);
    if ('hello' in message) return toLine(hello);
    if ('bye' in message) return undefined;
    return toLine({ id: message.id, ...answer(message.op, message.input) });
  };
  let unfinished: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let from = 0;
    let out = '';
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      unfinished.push(chunk.subarray(from, end));
      from = end + 1;
      const line = reply(Buffer.concat(unfinished).toString('latin1'));
      unfinished = [];
      if (line === undefined) {
        send(out);
        process.exit(0);
      }
      out += line;
    }
    unfinished.push(chunk.subarray(from));
    send(out);
  }
}

function send(text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      // A pipe that is full and not blocking: try again until the reader has taken some.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
