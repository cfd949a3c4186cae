//! JSON values. Nothing here recurses, so a value may be as deep as memory allows.

use std::collections::hash_map::RandomState;
use std::fmt::{self, Write};
use std::hash::BuildHasher;
use std::iter;
use std::mem;
use std::ops::{Deref, DerefMut};

use crate::number::Number;
use crate::wtf8::{Source, Wtf8, Wtf8Buf};

/// Objects up to this many members are searched in order, larger ones by hash.
const SCANNED_MEMBERS: usize = 8;

/// A JSON value.
///
/// Dropping, cloning, comparing and printing take no stack, however deep the value is. Objects
/// are equal when they have equal members in the same order.
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, lone surrogates and all.
    String(Wtf8Buf),
    /// An array.
    Array(Array),
    /// An object, members in order.
    Object(Object),
}

/// The items of a JSON array: a `Vec` that is dropped without recursion.
#[derive(Default)]
pub struct Array {
    items: Vec<Value>,
}

/// The members of a JSON object, in order, each key once.
#[derive(Default)]
pub struct Object {
    members: Vec<(Wtf8Buf, Value)>,
    index: Option<Box<Index>>,
}

/// One step of the walk through a value that [`Value::events`] takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// The key of the value that follows.
    Key(Wtf8<'a>),
    /// A null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(&'a Number),
    /// A string.
    String(Wtf8<'a>),
}

impl Value {
    /// The walk through this value in text order, on a stack of its own. O(n) for all of it.
    ///
    /// ```
    /// let value = jsonscan::parse("[[], 1]")?;
    /// assert_eq!(value.events().count(), 5);
    /// # Ok::<(), jsonscan::SyntaxError>(())
    /// ```
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        Events {
            open: Vec::new(),
            next: Some(self),
        }
    }

    /// The member `key` of an object; `None` where there is none or this is no object.
    pub fn get<'k>(&self, key: impl Source<'k>) -> Option<&Value> {
        match self {
            Self::Object(object) => object.get(key),
            _ => None,
        }
    }

    /// The string's text, when it is a string without lone surrogates.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => text.as_str(),
            _ => None,
        }
    }

    /// The integer, when it is one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    /// The number as JavaScript has it, when it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number.as_f64()),
            _ => None,
        }
    }

    /// The items, when it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }
}

impl Array {
    /// The items, for keeping.
    pub fn into_vec(mut self) -> Vec<Value> {
        mem::take(&mut self.items)
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Self { items }
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.items
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.items
    }
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Is there no member?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of the member `key`. O(1) in the number of members.
    pub fn get<'k>(&self, key: impl Source<'k>) -> Option<&Value> {
        self.find(key.as_wtf8()).map(|at| &self.members[at].1)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Wtf8<'_>, &Value)> {
        self.members.iter().map(|(key, value)| (key.as_wtf8(), value))
    }

    /// Sets the member `key`. One that is there already keeps its place and loses its value, which
    /// is returned. O(1) in the number of members, amortized.
    pub fn insert(&mut self, key: Wtf8Buf, value: Value) -> Option<Value> {
        if let Some(at) = self.find(key.as_wtf8()) {
            return Some(mem::replace(&mut self.members[at].1, value));
        }
        self.members.push((key, value));
        if self.members.len() > SCANNED_MEMBERS {
            self.index.get_or_insert_default().add(&self.members);
        }
        None
    }

    /// The members, for keeping.
    pub fn into_members(mut self) -> Vec<(Wtf8Buf, Value)> {
        mem::take(&mut self.members)
    }

    fn find(&self, key: Wtf8<'_>) -> Option<usize> {
        match &self.index {
            Some(index) => index.find(key, &self.members),
            None => self.members.iter().position(|(have, _)| have.as_wtf8() == key),
        }
    }
}

/// A hash table of positions in an object's members: the keys themselves are not kept twice.
/// Hashed with a secret, so that no text can make its keys collide.
#[derive(Default)]
struct Index {
    hasher: RandomState,
    /// Position + 1, or 0 for a free slot. A power of two of slots, at most half of them taken.
    slots: Vec<usize>,
}

impl Index {
    fn find(&self, key: Wtf8<'_>, members: &[(Wtf8Buf, Value)]) -> Option<usize> {
        self.probe(key)
            .map_while(|slot| self.slots[slot].checked_sub(1))
            .find(|at| members[*at].0.as_wtf8() == key)
    }

    /// Takes in the last of `members`, whose keys differ; all of them, when the table has to grow.
    fn add(&mut self, members: &[(Wtf8Buf, Value)]) {
        let mut first = members.len() - 1;
        if members.len() * 2 > self.slots.len() {
            self.slots = vec![0; (members.len() * 4).next_power_of_two()];
            first = 0;
        }
        for (at, (key, _)) in members.iter().enumerate().skip(first) {
            if let Some(slot) = self.probe(key.as_wtf8()).find(|slot| self.slots[*slot] == 0) {
                self.slots[slot] = at + 1;
            }
        }
    }

    /// The slots where `key` may be, in order.
    fn probe(&self, key: Wtf8<'_>) -> impl Iterator<Item = usize> {
        let mask = self.slots.len() - 1;
        let home = self.hasher.hash_one(key) as usize;
        (0..=mask).map(move |step| home.wrapping_add(step) & mask)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        dismantle(mem::take(&mut self.items));
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        dismantle(self.members.drain(..).map(|(_, value)| value).collect());
    }
}

/// Drops values without recursion: each container is emptied before it goes.
fn dismantle(mut doomed: Vec<Value>) {
    while let Some(value) = doomed.pop() {
        match value {
            Value::Array(mut array) => doomed.append(&mut array.items),
            Value::Object(mut object) => {
                doomed.extend(object.members.drain(..).map(|(_, value)| value));
            }
            _ => {}
        }
    }
}

struct Events<'a> {
    open: Vec<Rest<'a>>,
    next: Option<&'a Value>,
}

enum Rest<'a> {
    Items(std::slice::Iter<'a, Value>),
    Members(std::slice::Iter<'a, (Wtf8Buf, Value)>),
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(value) = self.next.take() {
            return Some(self.enter(value));
        }
        match self.open.last_mut()? {
            Rest::Items(items) => match items.next() {
                Some(item) => Some(self.enter(item)),
                None => self.leave(Event::ArrayEnd),
            },
            Rest::Members(members) => match members.next() {
                Some((key, value)) => {
                    self.next = Some(value);
                    Some(Event::Key(key.as_wtf8()))
                }
                None => self.leave(Event::ObjectEnd),
            },
        }
    }
}

impl<'a> Events<'a> {
    fn enter(&mut self, value: &'a Value) -> Event<'a> {
        match value {
            Value::Null => Event::Null,
            Value::Bool(truth) => Event::Bool(*truth),
            Value::Number(number) => Event::Number(number),
            Value::String(text) => Event::String(text.as_wtf8()),
            Value::Array(array) => {
                self.open.push(Rest::Items(array.items.iter()));
                Event::ArrayStart
            }
            Value::Object(object) => {
                self.open.push(Rest::Members(object.members.iter()));
                Event::ObjectStart
            }
        }
    }

    fn leave(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        self.open.pop();
        Some(event)
    }
}

/// Puts a value together from its parts in text order, on a stack of its own.
#[derive(Default)]
pub(crate) struct Builder {
    open: Vec<Unfinished>,
    whole: Option<Value>,
}

enum Unfinished {
    Array(Array),
    Object(Object, Wtf8Buf),
}

impl Builder {
    pub(crate) fn open_array(&mut self) {
        self.open.push(Unfinished::Array(Array::default()));
    }

    pub(crate) fn open_object(&mut self) {
        self.open.push(Unfinished::Object(Object::new(), Wtf8Buf::new()));
    }

    pub(crate) fn close(&mut self) {
        match self.open.pop() {
            Some(Unfinished::Array(array)) => self.add(Value::Array(array)),
            Some(Unfinished::Object(object, _)) => self.add(Value::Object(object)),
            None => {}
        }
    }

    pub(crate) fn key(&mut self, key: Wtf8Buf) {
        if let Some(Unfinished::Object(_, next_key)) = self.open.last_mut() {
            *next_key = key;
        }
    }

    pub(crate) fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.whole = Some(value),
            Some(Unfinished::Array(array)) => array.push(value),
            Some(Unfinished::Object(object, key)) => {
                object.insert(mem::take(key), value);
            }
        }
    }

    /// The value, once all its parts are in.
    pub(crate) fn finish(self) -> Option<Value> {
        self.whole
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        let mut copy = Builder::default();
        for event in self.events() {
            match event {
                Event::ArrayStart => copy.open_array(),
                Event::ObjectStart => copy.open_object(),
                Event::ArrayEnd | Event::ObjectEnd => copy.close(),
                Event::Key(key) => copy.key(key.into()),
                Event::Null => copy.add(Value::Null),
                Event::Bool(truth) => copy.add(Value::Bool(truth)),
                Event::Number(number) => copy.add(Value::Number(number.clone())),
                Event::String(text) => copy.add(Value::String(text.into())),
            }
        }
        copy.finish().expect("a walk through a value covers all of it")
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.events().eq(other.events())
    }
}

/// Compact JSON in pure ASCII, which [`parse`](crate::parse) reads back as the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_events(f, self.events())
    }
}

/// The same as its JSON text.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_events(f, self.events())
    }
}

/// The same as its JSON text.
impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = Events {
            open: vec![Rest::Items(self.items.iter())],
            next: None,
        };
        write_events(f, iter::once(Event::ArrayStart).chain(inside))
    }
}

/// The same as its JSON text.
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = Events {
            open: vec![Rest::Members(self.members.iter())],
            next: None,
        };
        write_events(f, iter::once(Event::ObjectStart).chain(inside))
    }
}

fn write_events<'a>(f: &mut fmt::Formatter<'_>, events: impl Iterator<Item = Event<'a>>) -> fmt::Result {
    let mut needs_comma = false;
    for event in events {
        if needs_comma && !matches!(event, Event::ArrayEnd | Event::ObjectEnd) {
            f.write_char(',')?;
        }
        write!(f, "{event}")?;
        if matches!(event, Event::Key(_)) {
            f.write_char(':')?;
        }
        needs_comma = !matches!(event, Event::ArrayStart | Event::ObjectStart | Event::Key(_));
    }
    Ok(())
}

/// The event's own JSON text in pure ASCII, without the comma or colon round it.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArrayStart => f.write_char('['),
            Self::ArrayEnd => f.write_char(']'),
            Self::ObjectStart => f.write_char('{'),
            Self::ObjectEnd => f.write_char('}'),
            Self::Null => f.write_str("null"),
            Self::Bool(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Key(text) | Self::String(text) => write_quoted(f, *text),
        }
    }
}

fn write_quoted(f: &mut impl Write, text: Wtf8<'_>) -> fmt::Result {
    f.write_char('"')?;
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(special @ (b'"' | b'\\')) => write!(f, "\\{}", char::from(special))?,
            Ok(plain @ b' '..=b'~') => f.write_char(plain.into())?,
            _ => write!(f, "\\u{unit:04x}")?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_set_twice_keeps_its_place_and_the_last_value_whatever_the_size() {
        for size in [1, SCANNED_MEMBERS, SCANNED_MEMBERS + 1, 1000] {
            let mut object = Object::new();
            let keys: Vec<String> = (0..size).map(|at| format!("k{at}")).collect();
            for key in &keys {
                assert_eq!(object.insert(key.as_str().into(), Value::Null), None);
            }
            for key in keys.iter().rev() {
                let value = Value::String(key.as_str().into());
                assert_eq!(object.insert(key.as_str().into(), value), Some(Value::Null));
            }
            let members: Vec<_> = object
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            let wanted: Vec<_> = keys
                .iter()
                .map(|key| (Some(key.as_str()), Some(key.as_str())))
                .collect();
            assert_eq!(members, wanted);
            assert!(keys
                .iter()
                .all(|key| object.get(key).and_then(Value::as_str) == Some(key)));
            assert_eq!(object.get("k"), None);
        }
    }

    #[test]
    fn containers_print_as_their_json() {
        let array = Array::from(vec![Value::Null, Value::Array(vec![Value::Bool(true)].into())]);
        assert_eq!(format!("{array:?}"), "[null,[true]]");
        let mut object = Object::new();
        object.insert("a".into(), Value::Array(array));
        object.insert("\"".into(), Value::Object(Object::new()));
        assert_eq!(format!("{object:?}"), r#"{"a":[null,[true]],"\"":{}}"#);
    }
}
