import { Readable } from 'node:stream'
import type { FileAnswer } from '@gatehouse/contract'
import type { FastifyReply } from 'fastify'

/** Sends a file: bytes at once, anything else as a stream, which is ended when the caller has gone. */
export function sendFile(reply: FastifyReply, file: FileAnswer): FastifyReply {
  reply.type(file.type)
  if (file.sizeBytes !== undefined) reply.header('content-length', file.sizeBytes)
  if (file.name !== undefined) reply.header('content-disposition', attachment(file.name))
  if (file.body instanceof Uint8Array) return reply.send(file.body)
  return reply.send(file.body instanceof Readable ? file.body : Readable.from(file.body))
}

/** A download under this name (RFC 6266): ASCII for old clients, the full name for others. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_')
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
