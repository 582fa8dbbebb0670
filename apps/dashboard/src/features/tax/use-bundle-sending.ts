import { useRef, useState } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { newUuid } from '../../lib/calls/new-uuid.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { notifyRunSuccess } from '../../entities/run/notify-run.ts'
import { endedRunOf } from '../../entities/run/read-run.ts'
import { runs } from '../../entities/run/run-queries.ts'
import { runSentence } from '../../entities/run/run-words.ts'
import type { BundleKind, BundleTokens } from './bundle-form.ts'
import { sendBundle } from './bundle-queries.ts'
import { taxMessages } from './tax-messages.ts'
import type { KeptBundle } from './use-bundle-form.ts'
import { useBundleRun } from './use-bundle-run.ts'
import { findRun } from '../../entities/run/follow-run.ts'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'

/** Sends a bundle once: a second press, a reload and a lost answer all find the run of the first. */
export function useBundleSending(kind: BundleKind, kept: KeptBundle) {
  const { form, record } = kept
  const refreshRuns = runs.useRefresh()
  const refusal = useRefusal()
  const bundleRun = useBundleRun(kind, kept)
  const { run, setPhase, settle } = bundleRun
  /** Exactly what was accepted is about to be sent once more: that is asked about. */
  const [isRepeat, setIsRepeat] = useState(false)
  const isPosting = useRef(false)

  async function send(tokens: BundleTokens) {
    if (isPosting.current) return
    isPosting.current = true
    setIsRepeat(false)
    refusal.clearRefusal()
    record({ sentKey: form.key, isChanged: false })
    setPhase('posting')
    try {
      const { run, isReplay } = await sendBundle(kind, form, tokens)
      settle(form.key, run)
      notifyRunSuccess(run, isReplay ? taxMessages.replayed : undefined)
    } catch (error) {
      await handleFailure(error)
    } finally {
      isPosting.current = false
      void refreshRuns()
    }
  }

  async function handleFailure(error: unknown) {
    const run = endedRunOf(error)
    if (run) {
      settle(form.key, run)
      notifyError(taxMessages.notSent, runSentence(run.state, run.is_dry_run))
    } else if (await wasRefused(error, kind, form.key)) {
      record({ sentKey: null })
      setPhase('idle')
      refusal.refuse(error)
      notifyError(taxMessages.notSent, `${taxMessages.nothingSent} ${messageOf(error)}`)
    } else {
      setPhase('searching')
      notifyError(taxMessages.notSent, lostText(error))
    }
  }

  return {
    ...refusal,
    ...bundleRun,
    isRepeat,
    handleSend: (tokens: BundleTokens) => {
      if (bundleRun.isGoing || bundleRun.isHeld) return
      if (run?.state === 'succeeded' && !form.isChanged) setIsRepeat(true)
      else void send(tokens)
    },
    handleRepeat: (tokens: BundleTokens) => void send(tokens),
    handleDismiss: () => setIsRepeat(false),
    /** Leaves an unknown outcome to the history, and starts another form. */
    handleStartAnother: () => {
      setPhase('idle')
      record({ key: newUuid(), sentKey: null, isChanged: true })
    },
  }
}

export type BundleSending = ReturnType<typeof useBundleSending>

const lostText = (error: unknown) =>
  error instanceof CallError && error.code === 'run.key_reused'
    ? taxMessages.keyReused
    : taxMessages.searching

/** What the server said no to, with its messages at their fields. */
function useRefusal() {
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

/** Refusals that name a run: one with this key, or one with the same content. */
const speaksOfKey = new Set(['run.in_progress', 'run.key_reused'])

/** Whether the server said no before a run with this key began; anything else may have left one. */
async function wasRefused(failure: unknown, kind: BundleKind, key: string): Promise<boolean> {
  if (!(failure instanceof CallError) || failure.code === 'answer.unreadable') return false
  if (failure.status < 400 || failure.status >= 500) return false
  if (!speaksOfKey.has(failure.code)) return true
  return (await findRun(kind, key).catch(() => undefined)) === undefined
}
