export interface ServerEvent {
  /** `message` where the stream names none. */
  event: string
  data: string
}

/**
 * Reads server-sent events (WHATWG HTML §9.2) from a body that `fetch` has opened: the browser's own
 * EventSource cannot send the Bearer header. Ends with the stream. Comments and retry times are
 * skipped.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void> {
  // No part of a first load: a screen follows something when it has long been shown.
  const { createParser } = await import('eventsource-parser')
  const events: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => events.push({ event, data }),
  })
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
