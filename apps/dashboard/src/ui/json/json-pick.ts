import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'
import { Prec } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap } from '@codemirror/view'
import type { JsonPath, JsonValueAt } from './json-path-at.ts'
import { jsonValueAt } from './json-path-at.ts'

export interface JsonPicking {
  /** How a path is written, for the hint that follows the mouse. */
  describe: (path: JsonPath) => string
  /** What a click does, in the hint's second line. */
  hint: string
  onPick: (value: JsonValueAt) => void
  /** The value at the cursor, as it moves; undefined where there is none. */
  onMove: (value: JsonValueAt | undefined) => void
}

/** How long the parser may take to reach a position in a large document: for a click, for a hint. */
const pickBudgetMs = 3000
const hintBudgetMs = 50

/** A click, or Enter at the cursor, picks a value; the mouse shows its path beforehand. */
export function pickValues(current: () => JsonPicking | undefined): Extension {
  const pickAt = (view: EditorView, position: number) => {
    const value = valueAt(view.state, position, pickBudgetMs)
    if (value) current()?.onPick(value)
    else view.dispatch({ effects: EditorView.announce.of('There is no value here.') })
    return true
  }
  const pickAtCursor = (view: EditorView) => pickAt(view, view.state.selection.main.head)

  return [
    EditorView.domEventHandlers({
      click(event, view) {
        const isPlain = event.button === 0 && event.detail <= 1 && view.state.selection.main.empty
        if (!isPlain || !isOnToken(event.target)) return false
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
        return position !== null && pickAt(view, position)
      },
    }),
    Prec.high(
      keymap.of([
        { key: 'Enter', run: pickAtCursor },
        { key: 'Mod-Enter', run: pickAtCursor },
      ]),
    ),
    hoverTooltip((view, position) => {
      const picking = current()
      const value = valueAt(view.state, position, hintBudgetMs)
      if (!picking || !value || isBlank(view.state, position)) return null
      return {
        pos: position,
        above: true,
        create: () => ({ dom: tooltip(picking.describe(value.path), picking.hint) }),
      }
    }),
    EditorView.updateListener.of((update) => {
      if (!update.selectionSet && !update.docChanged) return
      current()?.onMove(valueAt(update.state, update.state.selection.main.head, 0))
    }),
    EditorView.editorAttributes.of({ class: 'json-pickable' }),
  ]
}

function valueAt(state: EditorState, position: number, budgetMs: number) {
  const lineEnd = state.doc.lineAt(position).to
  const tree =
    (budgetMs > 0 ? ensureSyntaxTree(state, lineEnd, budgetMs) : undefined) ?? syntaxTree(state)
  if (tree.length < position) return undefined
  return jsonValueAt(tree, (from, to) => state.doc.sliceString(from, to), position)
}

/** The space beside a line holds no value: a click there only moves the cursor. */
function isOnToken(target: EventTarget | null) {
  return target instanceof Element && target.closest('.json-token') !== null
}

function isBlank(state: EditorState, position: number) {
  return state.doc.sliceString(Math.max(0, position - 1), position + 1).trim() === ''
}

function tooltip(path: string, hint: string) {
  const dom = document.createElement('div')
  const code = document.createElement('code')
  code.textContent = path
  const line = document.createElement('div')
  line.className = 'json-hint'
  line.textContent = hint
  dom.append(code, line)
  return dom
}
