import type { Routes } from '@gatehouse/contract'
import { send, unreadable, type CallArgs, type CallKey, type FileKey } from './call.ts'

// Calls whose answers are no parsed JSON: apart from `call.ts`, since the login page makes none.

/** Like `call`, but hands over the answer's text, for readers that must keep its numbers exact. */
export async function callText<K extends CallKey>(key: K, ...args: CallArgs<K>): Promise<string> {
  const { body } = await send(key, args[0])
  return body.text()
}

/** Like `callText`, byte for byte, with the headers of the answer beside it. */
export async function callBytes<K extends CallKey>(
  key: K,
  ...args: CallArgs<K>
): Promise<{ body: Blob; headers: Headers }> {
  const { response, body } = await send(key, args[0])
  return { body, headers: response.headers }
}

/** Like `call`, for a file; an answer of another type than the call's own is unreadable. */
export async function callFile<K extends FileKey>(
  key: K,
  type: Routes[K]['answers'],
  ...args: CallArgs<K>
): Promise<Blob> {
  const { response, body } = await send(key, args[0])
  if (response.headers.get('content-type') !== type) throw unreadable(response)
  return body
}

/** Like `call`, for an answer that is read while it arrives; a lost connection ends the stream. */
export async function callStream<K extends FileKey>(
  key: K,
  ...args: CallArgs<K>
): Promise<ReadableStream<Uint8Array>> {
  const { response } = await send(key, args[0], async () => new Blob())
  if (!response.body) throw unreadable(response)
  return response.body
}
