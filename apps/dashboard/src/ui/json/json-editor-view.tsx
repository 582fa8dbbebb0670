import { isolateHistory } from '@codemirror/commands'
import { openSearchPanel } from '@codemirror/search'
import { Annotation, Compartment, EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import type { Ref } from 'react'
import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { flushSync } from 'react-dom'
import { assistChanged, assistTyping } from './json-assist.ts'
import { jsonExtensions } from './json-extensions.ts'
import { changedLines, minimalChange } from './json-minimal-change.ts'
import type { JsonPicking } from './json-pick.ts'
import { pickValues } from './json-pick.ts'
import { tellLater } from '../page/tell-later.ts'
import type { TextAssist } from './text-assist.ts'

export interface JsonEditorHandle {
  openSearch: () => void
  /** Puts the cursor at a line and column, both counted from 1, and shows it. */
  goTo: (line: number, column: number) => void
  /** Puts a text in place of the selection; `write` makes it of the whole text and the cursor. */
  insert: (write: (text: string, position: number) => string) => void
}

export interface JsonEditorProps {
  value: string
  label: string
  /** Absent: the pane is read-only. */
  onChange?: ((text: string) => void) | undefined
  placeholder?: string | undefined
  describedBy?: string | undefined
  isInvalid?: boolean | undefined
  picking?: JsonPicking | undefined
  assist?: TextAssist | undefined
  /** Marks the lines of the last change that came from outside. */
  marksChanges?: boolean | undefined
  ref?: Ref<JsonEditorHandle>
}

const attributes = new Compartment()
const fromOutside = Annotation.define<boolean>()

/** Lines from 1, in the text after the change. */
const marked = StateEffect.define<number[]>()

const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, { state, effects }) {
    const effect = effects.find((each) => each.is(marked))
    if (!effect) return lines
    return Decoration.set(effect.value.map((line) => changedLine.range(state.doc.line(line).from)))
  },
  provide: (field) => EditorView.decorations.from(field),
})
const changedLine = Decoration.line({ class: 'json-changed' })

/**
 * CodeMirror as a controlled React component. Label, placeholder, `marksChanges`, and whether `onChange`,
 * `picking` and `assist` are given, must not change after the first render. Only json-pane.tsx loads it, lazily.
 */
export function JsonEditorView({ ref, ...props }: JsonEditorProps) {
  const { value, describedBy, isInvalid = false } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  /** The text that React last saw in the editor. Saves comparing documents on every render. */
  const known = useRef(value)

  const handleChange = useEffectEvent((text: string) => {
    known.current = text
    props.onChange?.(text)
  })
  const telling = useRef<ReturnType<typeof tellLater>>(null)
  const currentPicking = useEffectEvent(() => props.picking)
  const currentAssist = useEffectEvent(() => props.assist)
  const createView = useEffectEvent((parent: HTMLElement) => {
    known.current = value
    const extensions = [
      jsonExtensions({
        label: props.label,
        isEditable: props.onChange !== undefined,
        placeholder: props.placeholder,
      }),
      props.picking ? pickValues(currentPicking) : [],
      props.assist ? assistTyping(currentAssist) : [],
      EditorView.updateListener.of((update) => {
        const isTyped = update.transactions.some((each) => !each.annotation(fromOutside))
        if (update.docChanged && isTyped) telling.current?.soon()
      }),
      attributes.of([]),
      props.marksChanges ? markedLines : [],
    ]
    return new EditorView({ parent, state: EditorState.create({ doc: value, extensions }) })
  })

  useEffect(() => {
    if (!host.current) return undefined
    const created = createView(host.current)
    const tell = () => handleChange(created.state.doc.toString())
    // At once, as the change of a text area is: the next event finds the page drawn with it.
    const later = tellLater(host.current, () => flushSync(tell))
    view.current = created
    telling.current = later
    return () => {
      telling.current = null
      if (later.drop()) tell()
      view.current = null
      created.destroy()
    }
  }, [])

  useEffect(() => {
    if (!view.current || known.current === value) return
    telling.current?.drop()
    const before = view.current.state.doc.toString()
    const changes = minimalChange(before, value)
    known.current = value
    if (!changes) return
    const effects = props.marksChanges ? marked.of(changedLines(before, value)) : []
    // A separate step to undo, never merged with what was typed just before.
    const annotations = [fromOutside.of(true), isolateHistory.of('full')]
    view.current.dispatch({ changes, annotations, effects })
  }, [value, props.marksChanges])

  useEffect(() => {
    const content = describedAs(describedBy, isInvalid)
    view.current?.dispatch({ effects: attributes.reconfigure(content) })
  }, [describedBy, isInvalid])

  const { assist } = props
  useEffect(() => {
    if (assist) view.current?.dispatch({ effects: assistChanged.of(null) })
  }, [assist])

  useImperativeHandle(ref, () => ({
    openSearch: () => view.current && openSearchPanel(view.current),
    goTo: (line, column) => view.current && moveCursor(view.current, line, column),
    insert: (write) => view.current && insertAtCursor(view.current, write),
  }))

  return <div ref={host} />
}

function describedAs(describedBy: string | undefined, isInvalid: boolean) {
  return EditorView.contentAttributes.of({
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
  })
}

function moveCursor(view: EditorView, lineNumber: number, column: number) {
  const line = view.state.doc.line(Math.min(Math.max(lineNumber, 1), view.state.doc.lines))
  const anchor = Math.min(line.from + Math.max(column - 1, 0), line.to)
  view.dispatch({ selection: { anchor }, scrollIntoView: true })
  view.focus()
}

function insertAtCursor(view: EditorView, write: (text: string, position: number) => string) {
  const { from, to } = view.state.selection.main
  const insert = write(view.state.doc.toString(), from)
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.paste',
  })
  view.focus()
}
