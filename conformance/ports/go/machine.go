package jsonscan

// stop is the reason for which reading stopped.
type stop uint8

const (
	done    stop = iota // the value is whole
	fault               // what stands here cannot
	starved             // the text ended inside the value
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

// frame is a container that has been opened and not closed.
type frame struct {
	start   int     // of its opening bracket
	object  bool    // rather than an array
	key     string  // of the member whose value comes next
	members *Object // of an object, nil unless values are kept
	items   []any   // of an array
}

// machine reads one JSON value, strictly, from pos on. After run has stopped, pos is the position that the stop speaks
// of and stack holds the containers open there, so that a reader which knows more can decide how to go on.
type machine struct {
	text  string
	keep  bool // make values rather than only check them
	pos   int
	want  want
	stack []frame
	value any // the value, once done
}

// run reads until the value is whole, or as far as it can.
func (m *machine) run() stop {
	for {
		m.pos = skipSpace(m.text, m.pos)
		if m.pos == len(m.text) {
			return starved
		}
		if why := m.step(m.text[m.pos]); why != done {
			return why
		}
		if m.want == wantComma && len(m.stack) == 0 {
			return done
		}
	}
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
			return fault
		}
		m.pos++
		m.want = wantValue
		return done
	default:
		return m.readSeparator(c)
	}
}

// readValue reads a scalar or opens a container.
func (m *machine) readValue(c byte) stop {
	switch c {
	case '{':
		m.open(true)
		return done
	case '[':
		m.open(false)
		return done
	case '"':
		text, why := m.readString()
		if why == done {
			m.put(text)
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
		return fault
	}
}

func (m *machine) readLiteral(word string, value any) (why stop) {
	if m.pos, why = scanLiteral(m.text, m.pos, word); why == done {
		m.put(value)
	}
	return why
}

func (m *machine) readNumber() (why stop) {
	start := m.pos
	if m.pos, why = scanNumber(m.text, start); why != done {
		return why
	}
	if m.keep {
		m.put(Number(m.text[start:m.pos]))
	} else {
		m.put(nil)
	}
	return done
}

// readString reads a string; what it returns is empty unless values are kept.
func (m *machine) readString() (text string, why stop) {
	start, escaped := m.pos, false
	if m.pos, escaped, why = scanString(m.text, start); why != done || !m.keep {
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
		return fault
	}
	key, why := m.readString()
	if why == done {
		m.stack[len(m.stack)-1].key = key
		m.want = wantColon
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
		return fault
	}
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
	m.pos++
}

// shut leaves the innermost container, whose closing bracket stands at pos.
func (m *machine) shut() stop {
	last := len(m.stack) - 1
	f := m.stack[last]
	m.stack = m.stack[:last]
	m.pos++
	if f.object {
		m.put(f.members)
	} else {
		m.put(f.items)
	}
	return done
}

// put adds a value to the innermost container, or makes it the result.
func (m *machine) put(value any) {
	m.want = wantComma
	if !m.keep {
		return
	}
	if len(m.stack) == 0 {
		m.value = value
		return
	}
	f := &m.stack[len(m.stack)-1]
	if f.object {
		f.members.Set(f.key, value)
	} else {
		f.items = append(f.items, value)
	}
}
