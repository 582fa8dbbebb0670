import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import {
  changesOf,
  compareChanges,
  withChanges,
  type Comparison,
  type FieldChange,
  type Values,
} from '../format/compare-values.ts'
import type { Draft } from './form-drafts.ts'

export interface FormConflict {
  /** Why fields have to be compared: the save was refused, or a draft is older than the record. */
  cause: 'save' | 'draft' | undefined
  isShown: boolean
  show: () => void
  hide: () => void
  /** Undefined until the newest record is there. */
  comparison: Comparison | undefined
  /** The newest record has been loaded. */
  noteNewest: () => void
}

/**
 * What the user has changed against what the record has become. `newest` are the values of the record as the
 * screen last loaded it.
 */
export function useFormConflict<V extends Values>(form: UseFormReturnType<V>, newest: V) {
  const [state, setState] = useState<Open | undefined>()
  const base = form.getInitialValues()
  const isReady = state !== undefined && state.isNewest
  const changes = state?.changes ?? changesOf(base, form.values)

  /** Puts the newest values into the form, and on top what the user has changed and keeps. */
  function settle(isKept: (path: string) => boolean): V {
    const merged = withChanges(
      newest,
      changes.filter(({ path }) => isKept(path)),
    )
    form.resetDirty(newest)
    form.setValues(merged)
    setState(undefined)
    return merged
  }
  const conflict: FormConflict = {
    cause: state?.cause,
    isShown: state?.isShown ?? false,
    show: () => setState((state) => state && { ...state, isShown: true }),
    hide: () =>
      setState((state) =>
        state?.cause === 'draft' ? undefined : state && { ...state, isShown: false },
      ),
    comparison: isReady ? compareChanges(changes, base, newest) : undefined,
    noteNewest: () => setState((state) => state && { ...state, isNewest: true }),
  }
  return {
    conflict,
    settle,
    refuse: () => setState({ cause: 'save', isShown: true, isNewest: false }),
    compareDraft: ({ changes }: Draft) =>
      setState({ cause: 'draft', changes, isShown: true, isNewest: true }),
  }
}

interface Open {
  cause: 'save' | 'draft'
  /** Of a draft; else those of the form. */
  changes?: FieldChange[]
  isShown: boolean
  isNewest: boolean
}
