import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { findRun } from '../../lib/follow-run.ts'
import { newUuid } from '../../lib/new-uuid.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { endedRunOf } from '../../lib/read-run.ts'
import { runKeys } from '../../lib/run-keys.ts'
import { runSentence } from '../../lib/run-words.ts'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import type { Doubt } from '../../ui/repeat-dialog.tsx'
import type { BundleKind, BundleTokens } from './bundle-form.ts'
import { sendBundle } from './bundle-queries.ts'
import { taxMessages } from './tax-messages.ts'
import type { KeptBundle } from './use-bundle-form.ts'
import { useBundleRun } from './use-bundle-run.ts'

/** Sends a bundle once: a second press, a reload and a lost answer all find the run of the first. */
export function useBundleSending(kind: BundleKind, kept: KeptBundle) {
  const { form, record } = kept
  const client = useQueryClient()
  const fields = useFieldErrors()
  const bundleRun = useBundleRun(kind, kept)
  const { run, setPhase, showRun } = bundleRun
  const [refusal, setRefusal] = useState<unknown>()
  const [doubt, setDoubt] = useState<Doubt>()
  const isPosting = useRef(false)

  async function send(tokens: BundleTokens) {
    if (isPosting.current) return
    isPosting.current = true
    setDoubt(undefined)
    clearRefusal()
    record({ sentKey: form.key, isChanged: false })
    setPhase('posting')
    try {
      const { run, isReplay } = await sendBundle(kind, form, tokens)
      showRun(form.key, run)
      setPhase('settled')
      const sentence = runSentence(run.state, run.is_dry_run)
      notifySuccess(taxMessages.sent, isReplay ? taxMessages.replayed : sentence)
    } catch (error) {
      await handleFailure(error)
    } finally {
      isPosting.current = false
      void client.invalidateQueries({ queryKey: runKeys.all })
    }
  }

  async function handleFailure(error: unknown) {
    const run = endedRunOf(error)
    if (run) {
      showRun(form.key, run)
      setPhase('settled')
      notifyError(taxMessages.notSent, runSentence(run.state, run.is_dry_run))
    } else if (await isRefusal(error)) {
      record({ sentKey: null })
      setPhase('idle')
      refuse(error)
      notifyError(taxMessages.notSent, `${taxMessages.nothingSent} ${messageOf(error)}`)
    } else {
      setPhase('searching')
      notifyError(taxMessages.notSent, lostText(error))
    }
  }

  /** The server said no before a run of this form began. */
  async function isRefusal(failure: unknown): Promise<boolean> {
    if (!(failure instanceof CallError) || failure.code === 'answer.unreadable') return false
    if (failure.status < 400 || failure.status >= 500) return false
    if (!speaksOfKey.has(failure.code)) return true
    return (await findRun(kind, form.key).catch(() => undefined)) === undefined
  }

  function refuse(error: unknown) {
    setRefusal(error)
    fields.showErrors(error)
  }

  function clearRefusal() {
    setRefusal(undefined)
    fields.clearErrors()
  }

  return {
    ...fields,
    ...bundleRun,
    refusal,
    clearRefusal,
    refuse,
    doubt,
    handleSend: (tokens: BundleTokens) => {
      if (bundleRun.isGoing || bundleRun.isHeld) return
      if (run?.state === 'succeeded' && !form.isChanged) setDoubt('repeat')
      else void send(tokens)
    },
    handleConfirm: (tokens: BundleTokens) => {
      if (doubt === 'repeat') return void send(tokens)
      setDoubt(undefined)
      setPhase('idle')
      return record({ key: newUuid(), sentKey: null, isChanged: true })
    },
    handleStartAnother: () => setDoubt('unknown'),
    handleDismiss: () => setDoubt(undefined),
  }
}

export type BundleSending = ReturnType<typeof useBundleSending>

/** There is a run with this key, on its way or with other content; or one with the same content. */
const speaksOfKey = new Set(['run.in_progress', 'run.key_reused'])

const lostText = (error: unknown) =>
  error instanceof CallError && error.code === 'run.key_reused'
    ? taxMessages.keyReused
    : taxMessages.searching
