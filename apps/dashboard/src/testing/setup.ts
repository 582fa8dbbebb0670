import './count-renders.ts'
import './inline-styles.ts'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { toast } from 'react-toastify'
import type { IBrowserSettings } from 'happy-dom'
import { afterEach, beforeEach, vi } from 'vitest'

// A busy machine may need seconds for what takes milliseconds elsewhere. Every wait for an event ends
// after this time, before the test as a whole does.
configure({ asyncUtilTimeout: 60_000 })

// A wait looks again and again, and each look that finds nothing would print the whole page for an error that none
// reads, at 7 % of the cost of a form's tests. The last look of a wait and one outside of waits print it.
const { getElementError } = getConfig()
configure({
  getElementError: (message, container) => {
    const { _disableExpensiveErrorDiagnostics: isLookOfWait } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean
    }
    return isLookOfWait
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container)
  },
})

// Text fields that grow with their text measure again once fonts are loaded; happy-dom has none.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// Where a test has no fake server, a call would go to the page's own address, http://localhost:3000, and be
// answered by whatever listens there. Each fails instead, and so does its test.
const unanswered: string[] = []
const { settings } = (globalThis as unknown as { happyDOM: { settings: IBrowserSettings } })
  .happyDOM
settings.fetch.interceptor = {
  beforeAsyncRequest: async ({ request }) => refuse(request),
  beforeSyncRequest: ({ request }) => refuse(request),
}

function refuse({ method, url }: { method: string; url: string }): void {
  if (!/^https?:/.test(url)) return
  unanswered.push(`${method} ${url}`)
  throw new TypeError(`The test has no answer for ${method} ${url}`)
}

// The files of the suite share a page and all modules, and a module runs once: a hook in a helper would
// guard only the first file that imports it. A screen that is not taken down goes on asking.
beforeEach(() => void unanswered.splice(0))
afterEach(() => {
  vi.useRealTimers()
  // While its answers are there.
  cleanup()
  const calls = unanswered.splice(0)
  // The storage may be among them.
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  toast.dismiss()
  localStorage.clear()
  sessionStorage.clear()
  if (calls.length > 0) throw new Error(`Nothing answers ${calls.join(', ')}`)
})
