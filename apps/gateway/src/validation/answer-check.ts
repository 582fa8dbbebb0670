import type { CompiledCheck, Places } from '@gatehouse/contract/json-schema'
import { BoundedBody } from '@gatehouse/upstream/http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Exchange } from '../exchange/exchange.ts'
import type { AnswerHeaders } from '../exchange/upstream-call.ts'
import { isJsonType, placesText } from './check-request.ts'
import { isSureFit, readJson } from '../schemas/read-json.ts'

/** Of an answer, as it came and unpacked. */
const answerMaxBytes = 256 * 1024

const unpackers: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * Holds the upstream's answer against a schema while it is passed on, and notes what does not fit. It never
 * holds an answer up or changes it. Answers of more than 256 KiB are not checked.
 */
export class AnswerCheck {
  readonly #check: CompiledCheck
  readonly #encoding: string
  #body: BoundedBody | null = new BoundedBody(answerMaxBytes)

  constructor(check: CompiledCheck, encoding: string) {
    this.#check = check
    this.#encoding = encoding
  }

  append(chunk: Uint8Array): void {
    if (this.#body?.append(chunk) === false) this.#body = null
  }

  /** The answer is whole. */
  finish(exchange: Exchange): void {
    const unfit = this.#unfit()
    if (unfit === null) return
    exchange.answerUnfit = unfit
    const detail = `The answer does not fit its schema: ${placesText(unfit)}`
    // What was noted about the request stays: both are read by who tries a schema out.
    exchange.detail = exchange.detail === null ? detail : `${exchange.detail} ${detail}`
    exchange.gateway.counters.countCode('upstream.unfit')
  }

  #unfit(): Places | null {
    const bytes = this.#unpacked()
    if (bytes === null || isSureFit(this.#check, bytes)) return null
    const read = readJson(bytes)
    if (!read.ok) return { '/': [read.message] }
    if (this.#check.fits(read.value)) return null
    const places: Places = {}
    this.#check.addPlaces(places, read.value, '')
    return places
  }

  /** Null: too large, or packed in a way that is not read here. */
  #unpacked(): Buffer | null {
    const bytes = this.#body?.take() ?? null
    if (bytes === null || this.#encoding === '') return bytes
    try {
      return unpackers[this.#encoding]?.(bytes, { maxOutputLength: answerMaxBytes }) ?? null
    } catch {
      return null
    }
  }
}

/** Null: this answer is not checked. Only answers of 2xx that are JSON are. Headers are read of no other. */
export function checkOfAnswer(
  { endpoint, method }: Exchange,
  answer: { readonly status: number; readonly headers: AnswerHeaders },
): AnswerCheck | null {
  const { status } = answer
  const check = endpoint?.validation?.answer ?? null
  if (check === null || status < 200 || status > 299 || status === 204 || method === 'HEAD')
    return null
  const { 'content-type': type, 'content-encoding': encoding = '' } = answer.headers
  if (!isJsonType(String(type))) return null
  return new AnswerCheck(check, String(encoding).toLowerCase().replace('identity', ''))
}
