/** What may read a form: a press, a shortcut, the end of the focus, of the page. */
const readers = ['keydown', 'pointerdown', 'click', 'submit', 'focusout', 'pagehide'] as const

/** Milliseconds. A user who types on sees what follows from it this often at least. */
const waitMaxMs = 200

/** Typing: neither a shortcut nor a key that leaves the editor. */
const isTyping = (event: Event, editor: Node) =>
  event instanceof KeyboardEvent &&
  event.target instanceof Node &&
  editor.contains(event.target) &&
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  event.key !== 'Tab' &&
  event.key !== 'Escape'

/**
 * Calls `tell` once what was typed into `editor` is painted and the browser is idle, so that no key waits
 * for what the page makes of it. Whatever else the user does has it called before: nothing reads a text
 * without its last letters.
 */
export function tellLater(editor: Node, tell: () => void) {
  let cancel: (() => void) | undefined

  function handleReader(event: Event) {
    if (!isTyping(event, editor)) later.now()
  }
  const later = {
    /** Again, while it waits: once is enough. */
    soon() {
      if (cancel) return
      const stopWaiting = whenIdle(() => later.now())
      for (const name of readers) window.addEventListener(name, handleReader, true)
      cancel = () => {
        cancel = undefined
        stopWaiting()
        for (const name of readers) window.removeEventListener(name, handleReader, true)
      }
    },
    now() {
      if (!cancel) return
      cancel()
      tell()
    },
    /** Whether there was something to tell, which is not told any more. */
    drop() {
      const waits = cancel !== undefined
      cancel?.()
      return waits
    },
  }
  return later
}

function whenIdle(callback: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(callback, waitMaxMs / 4)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: waitMaxMs })
  return () => cancelIdleCallback(handle)
}
