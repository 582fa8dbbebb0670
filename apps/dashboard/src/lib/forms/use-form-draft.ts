import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { changesOf, compareChanges, valueAt, type Values } from '../format/compare-values.ts'
import { dropDraft, readDraft, writeDraft, type Draft } from './form-drafts.ts'
import { isSecretField } from './secret-fields.ts'
import { useSession } from '../session/session.tsx'

interface DraftOptions<V extends Values> {
  form: UseFormReturnType<V>
  isUnsaved: boolean
  /** Fields that hold secrets, besides those whose names say so. */
  secrets?: readonly string[] | undefined
}

export interface FormDraft {
  /** What was typed here before and not saved, until the user has decided. */
  offer: Draft | undefined
  /** The record has changed since in fields that the draft changes. */
  hasClashes: boolean
  /** The user has decided, one way or the other. */
  settle: () => void
  /** The user gives up what was typed. */
  drop: () => void
}

/** Milliseconds without a key until what was typed is kept. */
const restMs = 400

/**
 * Keeps what is typed into a form in this browser, for its user and path, until it is saved or given up.
 * Secrets are left out. While a draft is offered, nothing replaces it.
 */
export function useFormDraft<V extends Values>(options: DraftOptions<V>): FormDraft {
  const { form, isUnsaved, secrets } = options
  const session = useSession()
  const userId = 'user' in session ? session.user.id : 0
  const { pathname } = useLocation()
  const [offer, setOffer] = useState(() =>
    usable(readDraft(userId, pathname), form.getInitialValues()),
  )
  const isKept = useRef(false)
  const { values, getInitialValues } = form

  useEffect(() => {
    if (offer || session.status !== 'signed-in') return undefined
    if (!isUnsaved) {
      if (isKept.current) dropDraft(userId, pathname)
      isKept.current = false
      return undefined
    }
    const keep = () => {
      const draft = draftOf(getInitialValues(), values, secrets)
      isKept.current = true
      if (draft.changes.length > 0) writeDraft(userId, pathname, draft)
      else dropDraft(userId, pathname)
    }
    const timer = setTimeout(keep, restMs)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [values, getInitialValues, isUnsaved, offer, secrets, userId, pathname, session.status])

  function drop() {
    isKept.current = false
    dropDraft(userId, pathname)
    setOffer(undefined)
  }
  const initial = form.getInitialValues()
  return {
    offer,
    hasClashes:
      offer !== undefined && compareChanges(offer.changes, initial, initial).clashes.length > 0,
    settle: () => setOffer(undefined),
    drop,
  }
}

function draftOf(initial: Values, values: Values, secrets: readonly string[] | undefined): Draft {
  const changes = changesOf(initial, values)
  const kept = changes.filter(({ path }) => !isSecretField(path, secrets))
  return { at: new Date().toISOString(), changes: kept, hadSecret: kept.length < changes.length }
}

/** Fields that the form no longer has are left out; a draft that changes nothing is none. */
function usable(draft: Draft | undefined, initial: Values): Draft | undefined {
  if (!draft) return undefined
  const changes = draft.changes.filter(({ path }) => valueAt(initial, path) !== undefined)
  const { clashes, mine } = compareChanges(changes, initial, initial)
  return clashes.length + mine.length === 0 ? undefined : { ...draft, changes }
}
