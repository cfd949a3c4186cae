"""The style of the page: light and dark, from 320 pixels up, readable without colours."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #fbfbf9; --card: #fff; --ink: #1b1d21; --soft: #5f6670; --line: #dcdcd6; --link: #0b57a4; --code: #f4f4ef;
  --good: #126634; --goodbg: #dff3e5; --goodline: #3aa66a; --bad: #b3261e; --badbg: #fbe1de; --late: #934200;
    --latebg: #fdeadb;
  --known: #7a5b00; --knownbg: #f9eecb; --other: #2d5596; --otherbg: #e2ebf8; --none: #5a616b; --nonebg: #e9e9e4;
    --odd: #7a1fa0; --oddbg: #f2e0f8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1c1f25; --ink: #e6e7ea; --soft: #a0a6b0; --line: #343841; --link: #8ab8f2;
    --code: #20242a;
    --good: #7fd6a0; --goodbg: #173324; --goodline: #2f8a57; --bad: #ff9d93; --badbg: #4a1c19; --late: #ffb57d;
    --latebg: #46280f;
    --known: #ecca62; --knownbg: #3a2f0c; --other: #a9c8f5; --otherbg: #1d2f4a; --none: #a8aeb8; --nonebg: #2a2d33;
    --odd: #e0a2f7; --oddbg: #3c1b49;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
    overflow-wrap: anywhere; }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
footer { margin: 3rem auto 2rem; color: var(--soft); font-size: .86rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 1.6rem 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .7rem; }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .875rem/1.6 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    tab-size: 4; }
pre { margin: 0; padding: .9rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
    white-space: pre-wrap;
  max-height: 75vh; overflow: auto; direction: ltr; }
pre span, pre del, pre ins, code { unicode-bidi: isolate; }
.response { line-height: 1.85; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; }
.x { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem .7rem; font-size: 1.1rem; margin: 0; }
.verdict strong { font-weight: 650; }
.v, dl .v { border-radius: .75rem; display: inline-block; padding: .05rem .65rem; font-size: .82rem; font-weight: 600;
    line-height: 1.5; white-space: nowrap; }
.good, .lossless { color: var(--good); background: var(--goodbg); }
.likely { color: var(--known); background: var(--knownbg); }
.guess, .late { color: var(--late); background: var(--latebg); }
.bad { color: var(--bad); background: var(--badbg); }
.other { color: var(--other); background: var(--otherbg); }
.none { color: var(--none); background: var(--nonebg); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.2rem; margin: .8rem 0 0; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: 0 0 .6rem; padding: 0; list-style: none;
    font-size: .86rem; }
.legend li { padding: .05rem .55rem; border-radius: 6px; }
.two { display: grid; gap: 0 1.6rem; }
.two > * { min-width: 0; }
.label { font: 600 .75rem/1.4 system-ui, sans-serif; border-radius: 4px; padding: .1em .45em; margin-right: .3em;
    user-select: none; white-space: nowrap; text-decoration: none; }
.label a { color: inherit; text-decoration: none; }
.label a:hover { text-decoration: underline; }
.answer { background: var(--goodbg); box-shadow: 0 0 0 1px var(--goodline); border-radius: 3px;
    box-decoration-break: clone; -webkit-box-decoration-break: clone; padding: .08em 0; }
.answer > .label { color: var(--card); background: var(--good); }
.cut { background: var(--latebg); border-radius: 3px; box-shadow: 0 0 0 1px var(--late); }
.cut > .label { color: var(--card); background: var(--late); }
.candidate { background: var(--otherbg); border-radius: 3px; box-decoration-break: clone;
    -webkit-box-decoration-break: clone; padding: .08em 0; }
.candidate > .label { color: var(--card); background: var(--other); }
.reasoning, .quoted { color: var(--none); background: var(--nonebg); border-radius: 3px; }
.reasoning > .label, .quoted > .label { color: var(--card); background: var(--none); }
.fence, .tag { color: var(--odd); background: var(--oddbg); border-radius: 3px; }
.prose { color: var(--soft); }
.v.prose { background: var(--nonebg); color: var(--none); }
del { color: var(--bad); background: var(--badbg); text-decoration: line-through; text-decoration-thickness: 2px;
    border-radius: 2px; }
ins { color: var(--good); background: var(--card); text-decoration: underline; text-decoration-thickness: 2px;
    font-weight: 700; border-radius: 2px; }
.at { color: var(--card); background: var(--ink); border-radius: 1em; font: 700 .75rem/1.4 system-ui, sans-serif;
    padding: .05em .5em; margin: 0 .15em;
  text-decoration: none; user-select: none; white-space: nowrap; }
.fault { color: var(--card); background: var(--bad); border-radius: 4px; font: 600 .75rem/1.4 system-ui, sans-serif;
    padding: .1em .45em; user-select: none; }
.u { font: 600 .72em/1 ui-monospace, Menlo, Consolas, monospace; border: 1px solid currentColor; border-radius: 3px;
    padding: .05em .25em; margin: 0 .08em;
  white-space: nowrap; color: inherit; user-select: auto; }
.t { font-style: normal; opacity: .6; }
.cards { list-style: none; padding: 0; margin: 0; display: grid; gap: .8rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem;
    min-width: 0; }
.card:target, pre span:target, .at:target { outline: 3px solid var(--link); outline-offset: 2px; }
.card h3 { font-size: 1rem; font-weight: 600; margin: 0; }
.card h3 .v, .card h3 .at { margin: 0 .4rem 0 0; }
.card p { color: var(--soft); font-size: .92rem; }
.card pre { padding: .5rem .7rem; background: var(--code); border: 0; border-radius: 6px; max-height: 16rem; }
.change { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem; margin: .55rem 0 .3rem; }
.change h4, dt { font-size: .78rem; font-weight: 600; letter-spacing: .03em; color: var(--soft); margin: 0 0 .2rem; }
em { font-style: normal; color: var(--soft); background: var(--nonebg); border-radius: 3px; padding: 0 .4em; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.2rem; margin: .5rem 0; }
dt { padding-top: .15rem; }
dd { margin: 0; }
@media (min-width: 64rem) { .two { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    } .two.alone { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  header, main, footer { padding: 0 .8rem; }
  h1 { font-size: 1.45rem; margin-top: 1rem; }
  pre { padding: .7rem; }
  .change, dl { grid-template-columns: minmax(0, 1fr); }
  dt { padding-top: .5rem; }
}
@media print { nav, .skip { display: none; } pre { max-height: none; } .card { break-inside: avoid; } }
"""
