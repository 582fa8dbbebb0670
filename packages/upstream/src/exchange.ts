import { maskAnswer } from './credential.ts'
import type { SignedIn } from './credential.ts'
import { mergeHeaders } from './headers.ts'
import type { HttpUpstream } from './http.ts'
import type { HttpAnswer, HttpFailed, HttpRequest } from './http/http-answer.ts'
import { callProcedure } from './procedure/procedure-exchange.ts'
import type { ProcedureExchangeOptions } from './procedure/procedure-exchange.ts'
import type { CallTarget } from './target.ts'

/** One call and what came of it. */
export interface Exchanged {
  /** As it was received. Decisions use this one. */
  answer: HttpAnswer
  /** Without the credential. This one is stored and shown. */
  shown: HttpAnswer
  /** The answer refuses the token, and no other can be had now, which passes by itself. */
  signInAway?: HttpFailed
}

/** Calls APIs over HTTP and in databases alike. */
export interface Upstream {
  /**
   * Sends a request once. Never throws. A stored procedure answers in the shape of HTTP: its own
   * refusal is a 4xx; what failed before it was called was not sent. A request for another address
   * than the target's is not sent.
   */
  send(target: CallTarget, request: HttpRequest, credential: SignedIn): Promise<Exchanged>
}

interface UpstreamOptions extends ProcedureExchangeOptions {
  http: Pick<HttpUpstream, 'send'>
}

export function createUpstream({ http, ...database }: UpstreamOptions): Upstream {
  return {
    async send(target, request, { headers, secrets }) {
      const answer =
        target.kind === 'procedure'
          ? await callProcedure(database, target, request)
          : await http.send({
              ...request,
              headers: mergeHeaders(request.headers, headers),
              tls: target.tls,
            })
      return { answer, shown: maskAnswer(answer, secrets) }
    },
  }
}
