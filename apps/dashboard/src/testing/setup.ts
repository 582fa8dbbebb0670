import './count-renders.ts'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'react-toastify'
import { afterEach, vi } from 'vitest'

// A busy machine may need seconds for what takes milliseconds elsewhere. Every wait for an event ends
// after this time; a test as a whole has 30 s.
configure({ asyncUtilTimeout: 10_000 })

// Text fields that grow with their text measure again once fonts are loaded; happy-dom has none.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// The files of the suite share a page and all modules, and a module runs once: a hook in a helper would
// guard only the first file that imports it. A screen that is not taken down goes on asking.
afterEach(() => {
  vi.useRealTimers()
  // The storage may be among them.
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  cleanup()
  toast.dismiss()
  localStorage.clear()
  sessionStorage.clear()
})
