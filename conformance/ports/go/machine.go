package jsonscan

// stop is the reason for which reading stopped.
type stop uint8

const (
	done    stop = iota // the value is whole
	fault               // what stands here cannot
	starved             // the text ended inside the value
	beyond              // a bound was passed; no machine stops so, but a reading does
)

// want is what may stand next, white space aside.
type want uint8

const (
	wantValue      want = iota
	wantFirstValue      // or the end of the array
	wantFirstKey        // or the end of the object
	wantKey
	wantColon
	wantComma // or the end of the container
)

// isKey and isValue tell what a scalar that stands next would be.
func (w want) isKey() bool   { return w == wantFirstKey || w == wantKey }
func (w want) isValue() bool { return w == wantFirstValue || w == wantValue }

// flaw is what is wrong at a fault. The first six are the codes of errors, the others name a bound.
type flaw string

const (
	flawUnexpected flaw = "unexpected"    // the byte at pos cannot stand there; want says what could
	flawControl    flaw = "control"       // a raw control character in the string that starts at token
	flawEscape     flaw = "escape"        // a backslash in the string that starts at token begins no escape
	flawNumber     flaw = "number"        // the number at token breaks off at pos
	flawLiteral    flaw = "literal"       // the word at token goes on otherwise at pos
	flawDuplicate  flaw = "duplicate-key" // the name at token stands in its object already
	flawDepth      flaw = "max-depth"     // the container at pos is too deep
	flawDigits     flaw = "max-digits"    // the integer at token is too long
)

// frame is a container that has been opened and not closed.
type frame struct {
	start   int     // of its opening bracket
	object  bool    // rather than an array
	dropped bool    // the value that comes next, since its key has one already
	key     string  // of the member whose value comes next
	members *Object // of an object, nil unless values are kept
	items   []any   // of an array
}

// bounds is what a machine refuses besides what is not JSON. The zero value refuses nothing.
type bounds struct {
	depth      int // containers open at once, if not 0
	digits     int // of an integer, if not 0
	duplicates DuplicateKeys
}

// machine reads one JSON value, strictly, from pos on. After run has stopped, pos is the position that the stop speaks
// of and stack holds the containers open there, so that a reader which knows more can decide how to go on: with goTo,
// put, punct and retract it says what stands there, and run goes on behind it.
type machine struct {
	text   string
	keep   bool // make values rather than only check them
	bounds bounds
	pos    int
	want   want
	stack  []frame
	value  any // the value, once done

	flaw     flaw // of a fault
	token    int  // where the token read last, or the one at fault, starts
	inString bool // starved inside the string at token, of which all before pos is whole
	last     int  // where the scalar or key read last starts, if at most a comma was read since; else -1
}

// run reads until the value is whole, or as far as it can.
func (m *machine) run() stop {
	for m.want != wantComma || len(m.stack) > 0 {
		m.pos = skipSpace(m.text, m.pos)
		if m.pos == len(m.text) {
			m.token = m.pos
			return starved
		}
		if why := m.step(m.text[m.pos]); why != done {
			return why
		}
	}
	return done
}

// step reads one token, which starts with c. Its done means that the token was good.
func (m *machine) step(c byte) stop {
	switch m.want {
	case wantFirstValue:
		if c == ']' {
			return m.shut()
		}
		return m.readValue(c)
	case wantValue:
		return m.readValue(c)
	case wantFirstKey:
		if c == '}' {
			return m.shut()
		}
		return m.readKey(c)
	case wantKey:
		return m.readKey(c)
	case wantColon:
		if c != ':' {
			return m.refuse(flawUnexpected)
		}
		m.token, m.last = m.pos, -1
		m.pos++
		m.want = wantValue
		return done
	default:
		return m.readSeparator(c)
	}
}

// refuse makes the token that starts at pos a fault.
func (m *machine) refuse(what flaw) stop {
	m.flaw, m.token = what, m.pos
	return fault
}

// readValue reads a scalar or opens a container.
func (m *machine) readValue(c byte) stop {
	switch c {
	case '{', '[':
		if m.bounds.depth > 0 && len(m.stack) >= m.bounds.depth {
			return m.refuse(flawDepth)
		}
		m.open(c == '{')
		return done
	case '"':
		text, why := m.readString()
		if why == done {
			m.keepValue(text)
		}
		return why
	case 't':
		return m.readLiteral("true", true)
	case 'f':
		return m.readLiteral("false", false)
	case 'n':
		return m.readLiteral("null", nil)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return m.readNumber()
	default:
		return m.refuse(flawUnexpected)
	}
}

func (m *machine) readLiteral(word string, value any) (why stop) {
	m.token = m.pos
	if m.pos, why = scanLiteral(m.text, m.pos, word); why == done {
		m.keepValue(value)
	}
	m.flaw = flawLiteral
	return why
}

// readNumber reads a number. One that touches the end of the text is whole only if it is all there is to read.
func (m *machine) readNumber() stop {
	start := m.pos
	end, why := scanNumber(m.text, start)
	m.pos, m.token, m.flaw = end, start, flawNumber
	switch {
	case why != done:
		return why
	case end == len(m.text) && len(m.stack) > 0:
		return starved
	case end < len(m.text) && isDigit(m.text[end]):
		return fault
	}
	number := Number(m.text[start:end])
	if m.bounds.digits > 0 && len(number) > m.bounds.digits && number.digits() > m.bounds.digits {
		m.pos = start
		return m.refuse(flawDigits)
	}
	if m.keep {
		m.keepValue(number)
	} else {
		m.keepValue(nil)
	}
	return done
}

// readString reads a string; what it returns is empty unless values are kept.
func (m *machine) readString() (text string, why stop) {
	start, escaped := m.pos, false
	m.pos, escaped, why = scanString(m.text, start)
	m.token = start
	switch {
	case why == starved:
		m.inString = true
		return "", why
	case why == fault:
		m.flaw = flawControl
		if escaped {
			m.flaw = flawEscape
		}
		return "", why
	case !m.keep:
		return "", why
	}
	text = m.text[start+1 : m.pos-1]
	if escaped {
		text = unescape(text)
	}
	return text, done
}

func (m *machine) readKey(c byte) stop {
	if c != '"' {
		return m.refuse(flawUnexpected)
	}
	key, why := m.readString()
	if why == done && !m.keepKey(key) {
		m.pos = m.token
		return m.refuse(flawDuplicate)
	}
	return why
}

// readSeparator reads what follows a value: a comma or the end of the container.
func (m *machine) readSeparator(c byte) stop {
	object := m.stack[len(m.stack)-1].object
	switch {
	case c == ',' && object:
		m.want = wantKey
	case c == ',':
		m.want = wantValue
	case c == '}' && object, c == ']' && !object:
		return m.shut()
	default:
		return m.refuse(flawUnexpected)
	}
	m.token = m.pos
	m.pos++
	return done
}

// open enters the container whose bracket stands at pos.
func (m *machine) open(object bool) {
	f := frame{start: m.pos, object: object}
	m.want = wantFirstValue
	if object {
		m.want = wantFirstKey
	}
	if m.keep && object {
		f.members = new(Object)
	} else if m.keep {
		f.items = []any{}
	}
	m.stack = append(m.stack, f)
	m.token, m.last = m.pos, -1
	m.pos++
}

// shut leaves the innermost container, whose closing bracket stands at pos.
func (m *machine) shut() stop {
	last := len(m.stack) - 1
	f := m.stack[last]
	m.stack = m.stack[:last]
	m.token = m.pos
	m.pos++
	m.add(f.content())
	m.last = -1
	return done
}

// content returns the container as a value.
func (f *frame) content() any {
	if f.object {
		return f.members
	}
	return f.items
}

// keepValue adds the scalar at token to the innermost container.
func (m *machine) keepValue(value any) {
	m.add(value)
	m.last = m.token
}

// keepKey makes the string at token the key of the next member, unless its object has one that must not come again.
func (m *machine) keepKey(key string) bool {
	f := &m.stack[len(m.stack)-1]
	if m.bounds.duplicates != LastKey {
		_, known := f.members.Get(key)
		if known && m.bounds.duplicates == RaiseKeys {
			return false
		}
		f.dropped = known
	}
	f.key = key
	m.want = wantColon
	m.last = m.token
	return true
}

// add adds a value to the innermost container, or makes it the whole.
func (m *machine) add(value any) {
	m.want = wantComma
	if len(m.stack) == 0 {
		m.value = value
		return
	}
	if m.keep {
		m.stack[len(m.stack)-1].add(value)
	}
}

// add adds a value to a container.
func (f *frame) add(value any) {
	switch {
	case !f.object:
		f.items = append(f.items, value)
	case !f.dropped:
		f.members.Set(f.key, value)
	}
}

// -- edits, for a machine that keeps values and has stopped before it was done

// inObject and inArray tell what the innermost container is.
func (m *machine) inObject() bool { return len(m.stack) > 0 && m.stack[len(m.stack)-1].object }
func (m *machine) inArray() bool  { return len(m.stack) > 0 && !m.stack[len(m.stack)-1].object }

// goTo lets nothing stand between here and pos.
func (m *machine) goTo(pos int) {
	m.inString, m.pos, m.last = false, pos, -1
}

// put lets a scalar stand between token and pos, or a key, which must be a string, where one is due. It returns false
// and does nothing where the object has that key and must not have it again.
func (m *machine) put(value any, pos int) bool {
	if !m.want.isKey() {
		m.keepValue(value)
	} else if !m.keepKey(value.(string)) {
		return false
	}
	m.inString, m.pos = false, pos
	return true
}

// punct lets c stand before pos. A closer closes the innermost container whatever its kind, also behind a comma, which
// then counts for nothing; an opener, comma or colon must be due.
func (m *machine) punct(c byte, pos int) {
	switch c {
	case '{', '[':
		m.open(c == '{')
	case '}', ']':
		m.shut()
	case ',':
		m.want = wantValue
		if m.inObject() {
			m.want = wantKey
		}
	default:
		m.want = wantValue
	}
	m.inString, m.pos, m.last = false, pos, -1
}

// retract takes back the scalar or key read last and, behind a scalar, a comma, if nothing else was read since. It
// returns what it was and where it starts, which is where the machine then is; put must follow.
func (m *machine) retract() (value any, start int, ok bool) {
	if m.last < 0 {
		return nil, 0, false
	}
	start = m.last
	m.pos, m.token, m.last = start, start, -1
	if len(m.stack) == 0 {
		m.want = wantValue
		return m.value, start, true
	}
	f := &m.stack[len(m.stack)-1]
	switch {
	case m.want == wantColon:
		m.want = wantKey
		if f.members.Len() == 0 {
			m.want = wantFirstKey
		}
		return f.key, start, true
	case f.object: // the old value stays until the new one takes its place, and so keeps the place
		value, _ = f.members.Get(f.key)
		m.want = wantValue
		return value, start, true
	}
	last := len(f.items) - 1
	value = f.items[last]
	f.items = f.items[:last]
	m.want = wantValue
	if last == 0 {
		m.want = wantFirstValue
	}
	return value, start, true
}

// partial returns the value so far and whether there is any: a member with its value only, a string as far as it can be
// told. It ends the reading.
func (m *machine) partial() (value any, ok bool) {
	if m.inString {
		m.pos = wholeEscapes(m.text, m.token+1)
		if m.want.isValue() {
			value, ok = unescape(m.text[m.token+1:m.pos]), true
		}
	}
	for i := len(m.stack) - 1; i >= 0; i-- {
		if ok {
			m.stack[i].add(value)
		}
		value, ok = m.stack[i].content(), true
	}
	if !ok && m.want == wantComma {
		return m.value, true
	}
	return value, ok
}
