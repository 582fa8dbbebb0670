import { useState } from 'react'
import { JsonPane, type JsonPaneProblem } from '../../ui/json-pane.tsx'
import { rowsFromText, rowsToText, type FormRow } from './mapping-form.ts'

interface MappingRowsJsonProps {
  rows: FormRow[]
  onRows: (rows: FormRow[]) => void
}

interface Draft {
  /** The rows that the text was made from, or was last read as. */
  rows: FormRow[]
  text: string
  problem?: JsonPaneProblem
}

/** The rows as JSON text, to copy, paste or edit; they follow as soon as the text is right. */
export function MappingRowsJson({ rows, onRows }: MappingRowsJsonProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ rows, text: rowsToText(rows, 2) }))
  if (draft.rows !== rows) setDraft({ rows, text: rowsToText(rows, 2) })

  function handleChange(text: string) {
    const parsed = rowsFromText(text)
    if (!parsed.ok) return setDraft({ rows, text, problem: parsed.problem })
    setDraft({ rows: parsed.rows, text })
    return onRows(parsed.rows)
  }
  return (
    <JsonPane
      label="Mapping rows as JSON"
      value={draft.text}
      onChange={handleChange}
      problem={draft.problem}
      minHeight={120}
      maxHeight="50vh"
    />
  )
}
