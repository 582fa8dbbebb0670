import { useImperativeHandle, useRef } from 'react'
import type { JsonEditorProps } from './json-editor-view.tsx'
import { usePlainOffers } from '../filters/plain-offers.tsx'

/**
 * A plain text area. It also replaces the editor when the editor's code could not be loaded (a lost
 * connection, a new version on the server): JSON can still be read, edited and copied.
 */
export function JsonPlainView({ ref, onChange, ...props }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { value, assist } = props
  const offers = usePlainOffers({ area, value, onChange, assist })
  useImperativeHandle(ref, () => ({
    openSearch: () => area.current?.focus(),
    goTo: (line, column) => area.current && moveCursor(area.current, line, column),
    insert: (write) => {
      const { current } = area
      if (!current || !onChange) return
      const { value, selectionStart, selectionEnd } = current
      current.focus()
      current.setRangeText(write(value, selectionStart), selectionStart, selectionEnd, 'end')
      onChange(current.value)
    },
  }))
  return (
    <>
      <textarea
        ref={area}
        className="json-plain"
        dir="ltr"
        spellCheck={false}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        placeholder={props.placeholder}
        readOnly={!onChange}
        value={value}
        onChange={(event) => offers.handleTyped(event.currentTarget.value)}
        {...offers.inputProps}
      />
      {offers.list}
    </>
  )
}

function moveCursor(area: HTMLTextAreaElement, line: number, column: number) {
  const before = area.value.split('\n').slice(0, line - 1)
  const start = before.reduce((length, text) => length + text.length + 1, 0)
  const at = Math.min(start + column - 1, area.value.length)
  area.focus()
  area.setSelectionRange(at, at)
}
