import type { z } from 'zod'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call a route: anyone (`public`), any signed-in user (`session`), or users with the named
 * permission. There is no default, so that no route is left unguarded by accident.
 */
export type Access = 'public' | 'session' | Permission

/** One call of the admin API: everything that server and dashboard share. */
export interface Route {
  readonly method: Method
  /** Fastify notation: `/api/apis/:id`. */
  readonly path: string
  readonly access: Access
  /** One line for the API reference. */
  readonly summary: string
  readonly tag: string
  /** Status of success: 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202 | 204
  /** Another status of success, which the handler chooses where it applies: taken, decided later. */
  readonly alsoStatus?: 200 | 202
  /** Largest request body in bytes; 1 MiB unless said otherwise. */
  readonly bodyLimitBytes?: number
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** True where the body is any JSON, which reaches the handler as text, byte for byte. */
  readonly hasRawBody?: boolean
  readonly response?: z.ZodType
  /** True where the handler needs the text of the body beside its parsed value: it has JSON of others. */
  readonly hasExactBody?: boolean
  /** True where an answer carries JSON of others, whose numbers leave exactly as they came. */
  readonly hasExactNumbers?: boolean
  /** True where the answer is a file instead of JSON. */
  readonly isFile?: boolean
  /** Media type of the file, where it always is the same. */
  readonly answers?: string
  /** True where a browser follows a link, without a header: the download cookie counts too. */
  readonly hasDownloadCookie?: boolean
  /**
   * True where a personal token opens the route beside a session (spec: machine-calls). Permissions
   * are not asked of a token: the route's service asks which workflows its user's roles may call.
   */
  readonly opensToTokens?: boolean
}

const declared: Route[] = []

/** Declares a call. Types of parameters, bodies and answers are inferred from it on both sides. */
export function defineRoute<const R extends Route>(route: R): R {
  declared.push(route)
  return route
}

/** The routes among the exports of a module, in the order in which they were declared. */
export function declaredRoutes(exports: object): readonly Route[] {
  const exported = new Set<unknown>(Object.values(exports))
  return declared.filter((route) => exported.has(route))
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined

/** Names a route: `POST /api/apis`. */
export type RouteKey<R extends Route> = `${R['method']} ${R['path']}`

type Part<R, K extends string> = R extends { [P in K]: infer S }
  ? { [P in K]: InputOf<S> }
  : unknown

/** What a caller passes: exactly the parts that the route declares. */
export type CallInput<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>

/** What a caller gets back after JSON has carried the answer over; a file arrives as a Blob. */
export type CallOutput<R extends Route> = R extends { isFile: true }
  ? Blob
  : R extends { response: infer S }
    ? OutputOf<S>
    : undefined

/** What a handler receives, parsed and typed. */
export interface HandlerInput<R extends Route> {
  params: R extends { params: infer S } ? OutputOf<S> : undefined
  query: R extends { query: infer S } ? OutputOf<S> : undefined
  body: R extends { hasRawBody: true }
    ? string
    : R extends { body: infer S }
      ? OutputOf<S>
      : undefined
}

/** What a handler returns; it is checked against the response schema before it leaves. */
export type HandlerOutput<R extends Route> = R extends { isFile: true }
  ? FileAnswer
  : R extends { response: infer S }
    ? InputOf<S>
    : void

export interface FileAnswer {
  /** Media type. */
  type: string
  body: Uint8Array | AsyncIterable<Uint8Array>
  sizeBytes?: number
  /** Makes it a download under this name. */
  name?: string
}
