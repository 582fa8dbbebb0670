import type { ReactNode } from 'react'
import type { ToastOptions } from 'react-toastify'

// spec: limits: success toasts close after 2000 ms, all others by the toast library's default.
const successCloseMs = 2000

/** Shows the specification's text and, where that alone would mislead, what really happened. */
export function notifySuccess(text: string, detail?: string): void {
  show('success', text, detail, { autoClose: successCloseMs })
}

export function notifyError(text: string, detail?: string): void {
  show('error', text, detail)
}

export function notifyInfo(text: string, detail?: string): void {
  show('info', text, detail)
}

/** Stays until it is closed: the action was done only in part. */
export function notifyWarning(text: string, detail?: string): void {
  show('warning', text, detail, { autoClose: false })
}

const waiting = new Set<() => void>()

/** Calls back when the first toast is about to be shown. Returns how to stop. */
export function onFirstToast(callback: () => void): () => void {
  waiting.add(callback)
  return () => waiting.delete(callback)
}

/** What the others call; for toasts of which the code comes later. */
export function show(
  type: 'success' | 'error' | 'info' | 'warning',
  text: ReactNode,
  detail = '',
  options?: ToastOptions,
) {
  for (const callback of waiting) callback()
  // The library keeps a toast until its place on the page is there.
  void import('react-toastify').then(({ toast }) =>
    toast(
      <div>
        <div>{text}</div>
        {detail !== '' && <div className="toast-detail">{detail}</div>}
      </div>,
      { type, ...options },
    ),
  )
}
