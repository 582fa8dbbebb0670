import { defaultKeymap, history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { jsonTheme } from './json-theme.ts'

interface JsonExtensionOptions {
  label: string
  isEditable: boolean
  placeholder?: string | undefined
}

/** The extensions of every JSON pane. Tab is not bound, so that it always leaves the pane. */
export function jsonExtensions(options: JsonExtensionOptions): Extension {
  return [
    lineNumbers(),
    codeFolding({ placeholderDOM: (_view, unfold) => foldPlaceholder(unfold) }),
    foldGutter({ markerDOM: foldMarker }),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    escapedCharacters,
    bracketMatching(),
    search({ top: true }),
    json(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    options.placeholder ? placeholder(options.placeholder) : [],
    options.isEditable ? editable : readOnly,
    keymap.of([...searchKeymap, ...foldKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0', dir: 'ltr' }),
    jsonTheme,
  ]
}

/**
 * Invisible characters are shown as their escapes. An answer with a BiDi override would
 * otherwise show the rest of its line backwards, amounts included.
 */
const escapedCharacters = highlightSpecialChars({
  addSpecialChars: /[\u202a-\u202e\u2066-\u2069]/g,
  render: (code, description) => {
    const escape = document.createElement('span')
    escape.className = 'cm-specialChar'
    escape.textContent = `\\u${code.toString(16).padStart(4, '0')}`
    escape.title = description ?? ''
    return escape
  },
})

const editable = [
  history(),
  indentOnInput(),
  // Mod-Enter and Mod-/ stay free for the page.
  keymap.of([
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Mod-/'),
    ...historyKeymap,
  ]),
]

// Not content-editable, or a tap would open the keyboard of a phone. The tabindex keeps it focusable.
const readOnly = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  keymap.of(standardKeymap),
]

function foldMarker(isOpen: boolean) {
  const marker = document.createElement('span')
  marker.className = 'json-fold'
  marker.textContent = isOpen ? '▾' : '▸'
  marker.title = isOpen ? 'Fold' : 'Unfold'
  return marker
}

function foldPlaceholder(unfold: (event: Event) => void) {
  const dom = document.createElement('span')
  dom.className = 'cm-foldPlaceholder'
  dom.textContent = '…'
  dom.title = 'Unfold'
  dom.addEventListener('click', unfold)
  return dom
}
