import type { BundlePreview } from '@gatehouse/contract'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import type { BundleForm, BundleKind, BundleTokens } from './bundle-form.ts'
import { previewBundle } from './bundle-queries.ts'

interface Shown {
  preview: BundlePreview
  /** What it was made of: another form or token makes it stale. */
  form: BundleForm
  tokens: BundleTokens
}

/** What the form would send, asked for by hand; nothing is sent and nothing is kept. */
export function useBundlePreview(kind: BundleKind, onRefused: (error: unknown) => void) {
  const [shown, setShown] = useState<Shown>()
  const [isLoading, setIsLoading] = useState(false)
  const latest = useRef(0)

  async function load(form: BundleForm, tokens: BundleTokens) {
    const turn = ++latest.current
    setIsLoading(true)
    try {
      const preview = await previewBundle(kind, form, tokens)
      if (turn === latest.current) setShown({ preview, form, tokens })
    } catch (error) {
      if (turn !== latest.current) return
      setShown(undefined)
      onRefused(error)
      notifyError('There is no preview.', messageOf(error))
    } finally {
      if (turn === latest.current) setIsLoading(false)
    }
  }
  return { shown, isLoading, load, close: () => setShown(undefined) }
}
