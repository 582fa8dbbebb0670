import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Classes, not colours: json-pane.css gives each its colour in the light and in the dark theme. */
const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, class: 'json-token json-name' },
  { tag: tags.string, class: 'json-token json-string' },
  { tag: tags.number, class: 'json-token json-number' },
  { tag: [tags.bool, tags.null], class: 'json-token json-word' },
  { tag: [tags.brace, tags.squareBracket], class: 'json-token json-bracket' },
  { tag: tags.separator, class: 'json-bracket' },
])

/** CodeMirror's own parts. Kept here because its style sheets come after those of the page. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-background)',
    minHeight: 'var(--json-min-height)',
    maxHeight: 'var(--json-max-height)',
    borderRadius: 'inherit',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    overflow: 'auto',
    minHeight: 'var(--json-min-height)',
    font: 'inherit',
    borderRadius: 'inherit',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--json-text)' },
  '.cm-line': { padding: '0 12px 0 4px' },
  '.cm-gutters': {
    color: 'var(--json-gutter)',
    backgroundColor: 'var(--json-background)',
    border: 'none',
    // CodeMirror gives gutters a height that it only estimates while the editor is out of view. The text alone
    // makes the height, so that nothing moves under the pointer when the editor is measured.
    height: '0 !important',
    minHeight: '0 !important',
    alignItems: 'flex-start',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', padding: '0 2px 0 8px' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', cursor: 'pointer', textAlign: 'center' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'var(--json-active-line)',
  },
  '.cm-line::selection, .cm-line ::selection': {
    color: 'inherit',
    backgroundColor: 'var(--json-selection)',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--json-selection)',
    outline: '1px solid var(--json-gutter)',
  },
  '.cm-foldPlaceholder': {
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-selection)',
    border: 'none',
    padding: '0 6px',
    margin: '0 2px',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--json-match)' },
  '.cm-searchMatch-selected': {
    backgroundColor: 'var(--json-match)',
    outline: '2px solid var(--json-focus)',
  },
  '.cm-tooltip': {
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-background)',
    border: '1px solid var(--json-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    maxWidth: 'min(360px, 80vw)',
    fontSize: '12px',
    overflowWrap: 'anywhere',
  },
})

const panels = EditorView.theme({
  '.cm-panels': {
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-background)',
    zIndex: '2',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--json-border)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 44px 8px 8px',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '13px',
  },
  '.cm-panel.cm-search br': { display: 'block', flexBasis: '100%', content: '""' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    fontSize: '13px',
    margin: '0',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-gotoLine *': {
    margin: '0',
  },
  '.cm-textfield': {
    height: '30px',
    minWidth: '120px',
    flex: '1 1 140px',
    maxWidth: '260px',
    padding: '0 8px',
    fontSize: '13px',
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-background)',
    border: '1px solid var(--json-control)',
    borderRadius: '4px',
  },
  '.cm-button': {
    minHeight: '30px',
    padding: '0 10px',
    fontSize: '13px',
    color: 'var(--json-text)',
    backgroundColor: 'var(--json-active-line)',
    backgroundImage: 'none',
    border: '1px solid var(--json-control)',
    borderRadius: '4px',
    cursor: 'pointer',
    textTransform: 'capitalize',
  },
  '.cm-button:active': { backgroundImage: 'none' },
  '.cm-panel input:focus-visible, .cm-panel button:focus-visible': {
    outline: '2px solid var(--json-focus)',
    outlineOffset: '1px',
  },
  '.cm-panel.cm-search [name=close], .cm-panel.cm-gotoLine [name=close]': {
    position: 'absolute',
    top: '8px',
    right: '8px',
    width: '30px',
    height: '30px',
    color: 'var(--json-text)',
    fontSize: '18px',
    cursor: 'pointer',
  },
})

export const jsonTheme = [syntaxHighlighting(highlightStyle), theme, panels]
