import { useCallback, useEffect, useState } from 'react'
import { useUser } from '../../lib/session/session.tsx'
import { loadForm, saveForm, type KeptForm } from './kept-form.ts'
import type { FormRow } from '../../entities/mapping/mapping-form.ts'

/** The form, kept in this tab through a reload; and what changes a part of it. */
export function useKeptForm() {
  const { id: userId } = useUser()
  const [form, setForm] = useState(() => loadForm(userId))
  useEffect(() => saveForm(userId, form), [userId, form])

  const update = useCallback(
    (changed: Partial<KeptForm>) => setForm((form) => ({ ...form, ...changed })),
    [],
  )
  const changeRows = useCallback(
    (change: (rows: FormRow[]) => FormRow[]) =>
      setForm((form) => ({ ...form, rows: change(form.rows) })),
    [],
  )
  return { userId, form, update, changeRows }
}
