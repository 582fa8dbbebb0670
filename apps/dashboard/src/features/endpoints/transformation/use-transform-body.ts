import { looksLikeMappingRows, parseExact } from '@gatehouse/contract/mapping'
import { useCallback, useEffect, useRef, useState } from 'react'
import { rowsFromText, rowsToText, type FormRow } from '../../../entities/mapping/mapping-form.ts'

export type BodyKind = 'same' | 'rows' | 'template'

interface Shown {
  /** The text of the form that this was read from, or that it was last written as. */
  text: string
  kind: BodyKind
  rows: FormRow[]
  template: string
}

/** A stored body as what the editor shows: nothing, rows, or a text. */
export function readTransformBody(text: string): Shown {
  const shown: Shown = { text, kind: 'same', rows: [], template: '' }
  if (text.trim() === '') return shown
  const rows = rowsIn(text)
  if (rows) return { ...shown, kind: 'rows', rows }
  return { ...shown, kind: 'template', template: text }
}

/** Undefined where the text is a template, or holds a row that can't be shown. */
function rowsIn(text: string): FormRow[] | undefined {
  try {
    if (!looksLikeMappingRows(parseExact(text))) return undefined
  } catch {
    return undefined
  }
  const read = rowsFromText(text)
  return read.ok ? read.rows : undefined
}

function textOf({ kind, rows, template }: Omit<Shown, 'text'>): string {
  if (kind === 'template') return template
  return kind === 'rows' && rows.length > 0 ? rowsToText(rows) : ''
}

/** A body of a transformation while it is edited; `onText` receives the text to store. */
export function useTransformBody(text: string, onText: (text: string) => void) {
  const [kept, setKept] = useState(() => readTransformBody(text))
  // The form was filled from elsewhere, such as a draft.
  const shown = kept.text === text ? kept : readTransformBody(text)
  if (shown !== kept) setKept(shown)

  function write(changed: Partial<Omit<Shown, 'text'>>) {
    const next = { ...shown, ...changed }
    setKept({ ...next, text: textOf(next) })
    onText(textOf(next))
  }
  // The editor of rows keeps its callbacks; they work on the rows as they are by then.
  const latest = useRef({ rows: shown.rows, write })
  useEffect(() => {
    latest.current = { rows: shown.rows, write }
  })
  const changeRows = useCallback((change: (rows: FormRow[]) => FormRow[]) => {
    latest.current.write({ rows: change(latest.current.rows) })
  }, [])
  return { ...shown, write, changeRows }
}

export type TransformBodyDraft = ReturnType<typeof useTransformBody>
