import { useCallback, useEffect, useState } from 'react'
import { useUser } from '../../lib/session.tsx'
import type { BundleForm, BundleKind, BundleStep } from './bundle-form.ts'
import { loadBundle, saveBundle } from './kept-bundle.ts'

/** The form, kept in this tab through a reload; and what changes a part of it. */
export function useBundleForm(kind: BundleKind) {
  const { id: userId } = useUser()
  const [form, setForm] = useState(() => loadBundle(kind, userId))
  useEffect(() => saveBundle(kind, userId, form), [kind, userId, form])

  /** What the person does. */
  const edit = useCallback(
    (changes: Partial<BundleForm>) => setForm((form) => ({ ...form, ...changes, isChanged: true })),
    [],
  )
  const editStep = useCallback(
    (position: number, changes: Partial<BundleStep>) =>
      setForm((form) => ({
        ...form,
        isChanged: true,
        steps: form.steps.map((step, at) => (at === position - 1 ? { ...step, ...changes } : step)),
      })),
    [],
  )
  /** What sending does, at once in the storage too: the screen may be gone before it is drawn. */
  const record = useCallback(
    (changes: Partial<Pick<BundleForm, 'key' | 'sentKey' | 'isChanged'>>) => {
      saveBundle(kind, userId, { ...loadBundle(kind, userId), ...changes })
      setForm((form) => ({ ...form, ...changes }))
    },
    [kind, userId],
  )
  return { form, edit, editStep, record }
}

export type KeptBundle = ReturnType<typeof useBundleForm>
