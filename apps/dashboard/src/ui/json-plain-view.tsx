import { useImperativeHandle, useRef } from 'react'
import type { JsonEditorProps } from './json-editor-view.tsx'

/**
 * Stands in for the editor when its code could not be loaded (a lost connection, a new version on
 * the server): nothing typed is lost, and JSON can still be read, edited and copied.
 */
export function JsonPlainView({ ref, onChange, ...props }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({
    openSearch: () => area.current?.focus(),
    goTo: () => area.current?.focus(),
  }))
  return (
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
      value={props.value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  )
}
