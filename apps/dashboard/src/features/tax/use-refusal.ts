import { useState } from 'react'
import { CallError } from '../../lib/call-error.ts'
import { findRun } from '../../entities/run/follow-run.ts'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import type { BundleKind } from './bundle-form.ts'

/** What the server said no to, with its messages at their fields. */
export function useRefusal() {
  const fields = useFieldErrors()
  const [refusal, setRefusal] = useState<unknown>()
  const { attachForm, errors, clearError } = fields
  return {
    attachForm,
    errors,
    clearError,
    /** Undefined while nothing was refused. */
    refusal,
    refuse: (error: unknown) => {
      setRefusal(error)
      fields.showErrors(error)
    },
    clearRefusal: () => {
      setRefusal(undefined)
      fields.clearErrors()
    },
  }
}

/** These tell of a run with the key, on its way or with other content, or with the same content. */
const speaksOfKey = new Set(['run.in_progress', 'run.key_reused'])

/** Whether the server said no before a run with this key began; anything else may have left one. */
export async function wasRefused(
  failure: unknown,
  kind: BundleKind,
  key: string,
): Promise<boolean> {
  if (!(failure instanceof CallError) || failure.code === 'answer.unreadable') return false
  if (failure.status < 400 || failure.status >= 500) return false
  if (!speaksOfKey.has(failure.code)) return true
  return (await findRun(kind, key).catch(() => undefined)) === undefined
}
