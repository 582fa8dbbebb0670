import { UpstreamFailure } from '@gatehouse/upstream/http'
import { AnswerFieldNames } from '../answer-field-names.ts'
import { allFields } from '../answer-head.ts'
import type { AnswerHead, AnswerHeaders } from '../answer-head.ts'
import { KnownAnswers } from '../known-answers.ts'
import { ResponseParser } from '../response-parser.ts'
import type { AnswerSink } from '../response-parser.ts'

/** What a parser made of some bytes, however they were split. */
interface ParsedAnswer {
  status: number | null
  headers: AnswerHeaders
  passed: string[]
  body: string
  /** `open`: it waits for more. */
  end: 'clean' | 'unclean' | 'open' | UpstreamFailure['failure']
}

class Collector implements AnswerSink {
  readonly got: ParsedAnswer = { status: null, headers: {}, passed: [], body: '', end: 'open' }

  takeInterim(): void {}

  takeHead(head: AnswerHead): void {
    this.got.status = head.status
    this.got.headers = { ...allFields(head) }
    this.got.passed = [...head.passed]
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    this.got.body += bytes.toString('latin1', start, end)
  }

  takeEnd(isClean: boolean): void {
    this.got.end = isClean ? 'clean' : 'unclean'
  }

  takeSwitch(head: AnswerHead): void {
    this.takeHead(head)
  }

  takeBehindSwitch(bytes: Buffer, start: number, end: number): void {
    this.takeBody(bytes, start, end)
  }
}

const fieldNames = new AnswerFieldNames({
  isPassed: (name) => name !== 'x-request-id',
  isCookiePassed: () => true,
})

/** Feeds `text` (Latin-1) in parts that end at `cuts`, and the end of the connection where `isClosed`. */
export function parseAnswer(
  text: string,
  {
    method = 'GET',
    cuts = [],
    isClosed = false,
  }: { method?: string; cuts?: number[]; isClosed?: boolean } = {},
): ParsedAnswer {
  const sink = new Collector()
  const parser = new ResponseParser(sink, new KnownAnswers(fieldNames))
  // The memory around a part must not be looked at.
  const memory = Buffer.alloc(text.length + 64, '\r\n\r\nHTTP/1.1 500 ')
  parser.start(method)
  try {
    let at = 0
    for (const cut of [...cuts, text.length]) {
      if (cut <= at || sink.got.end !== 'open') continue
      const length = memory.write(text.slice(at, cut), 7, 'latin1')
      parser.feed(memory, 7, 7 + length)
      memory.fill('\r\n\r\nHTTP/1.1 500 ')
      at = cut
    }
    if (isClosed) parser.finish()
    // Behind the end of an answer: no matter in which part it comes.
    if (sink.got.end === 'clean' && at < text.length) sink.got.end = 'unclean'
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    sink.got.end = error.failure
  }
  return sink.got
}
