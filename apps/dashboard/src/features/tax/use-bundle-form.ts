import { useCallback, useEffect, useState } from 'react'
import { useUser } from '../../lib/session/session.tsx'
import { blankBundle, type BundleForm, type BundleKind, type BundleStep } from './bundle-form.ts'
import { readKept, writeKept } from '../../lib/browser/kept-storage.ts'
import { readObject, textOr, toObject } from '../../lib/browser/kept-json.ts'

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
  /** Written to the storage at once: the screen may be closed before it is drawn again. */
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

/** By user, so that a form is not shown to the next user of the same window. */
const storageKey = (kind: BundleKind, userId: number) => `${kind}.${userId}`

/** The form as it was left in this tab; what is missing or not what it should be is blank. */
export function loadBundle(kind: BundleKind, userId: number): BundleForm {
  const kept = readObject(readKept(storageKey(kind, userId)))
  const blank = blankBundle(kind)
  const keptSteps: unknown[] = Array.isArray(kept['steps']) ? kept['steps'] : []
  return {
    isTest: kept['isTest'] === true,
    heals: kept['heals'] === true,
    isDependent: kept['isDependent'] === true,
    dependencyField: textOr(kept['dependencyField'], blank.dependencyField),
    steps: blank.steps.map((step, at) => {
      const { endpoint, body } = toObject(keptSteps[at])
      return { endpoint: textOr(endpoint, step.endpoint), body: textOr(body, step.body) }
    }),
    key: textOr(kept['key'], blank.key) || blank.key,
    sentKey: textOr(kept['sentKey'], null),
    isChanged: kept['isChanged'] !== false,
  }
}

/**
 * Keeps the form. What is too large for the browser is kept without its bodies, because the key must
 * outlive the page in any case: without it a reload could send the same twice.
 */
export function saveBundle(kind: BundleKind, userId: number, form: BundleForm): void {
  const steps = form.steps.map((step) => ({ ...step, body: '' }))
  for (const kept of [form, { ...form, steps }]) {
    try {
      return writeKept(storageKey(kind, userId), JSON.stringify(kept))
    } catch {
      // Full, or forbidden: the form works, it only will not outlive the page.
    }
  }
  return undefined
}
