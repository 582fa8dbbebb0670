import type { UpstreamFailure } from '@gatehouse/upstream/http'
import type { Readable } from 'node:stream'
import type { AnswerHead } from './answer-head.ts'
import type { SwitchedConnection } from './switched-connection.ts'

/** What a call may do to its connection. Calls of others have no effect. */
export interface CallConnection {
  pause(call: OutgoingCall): void
  resume(call: OutgoingCall): void
  /** Ends the connection; the failure is reported to the call. */
  abort(call: OutgoingCall, failure: UpstreamFailure): void
}

/** The wish of a call that its connection speak another protocol (RFC 9110 §7.8). */
export interface Switching {
  /** For Upgrade. */
  readonly protocol: string
  /**
   * The upstream has answered 101, in place of any other answer. The connection is the call's own once it has
   * called `start`, and nothing more comes of the call. Throws UpstreamFailure where the switch is not the one
   * that was asked for.
   */
  handleSwitched(head: AnswerHead, connection: SwitchedConnection): void
}

/** A request, and what takes its answer. After `handleEnd` or `handleFailure` nothing more comes. */
export interface OutgoingCall {
  readonly method: string
  readonly path: string
  /** False: it is never sent again, whatever its method. */
  readonly isRepeatable: boolean
  /** Name, value, name, value: end-to-end fields, and Content-Length where there is a body with one. */
  readonly fields: readonly string[]
  readonly body: Buffer | Readable | null
  /** Of the body; -1: not known, it goes in chunks. */
  readonly bodyLength: number
  /** Until the head is here, and between two parts of the body; 0: no bound. */
  readonly timeoutMs: number
  /** Null: a switch of protocols is a fault of the upstream. */
  readonly switching: Switching | null
  /** The first byte is about to be written. False: the call is no longer wanted, and nothing is written. */
  handleStart(connection: CallConnection): boolean
  /** An interim answer other than 100 and 101. Absent: they are passed over. */
  handleInterim?(head: AnswerHead): void
  handleHead(head: AnswerHead): void
  /** `isLent`: the memory is used again, what is kept of it must be copied. */
  handleData(bytes: Buffer, start: number, end: number, isLent: boolean): void
  handleEnd(): void
  handleFailure(failure: UpstreamFailure): void
  /** One of the functions above has thrown; the connection is gone. */
  handleFault(error: unknown): void
}

/** Reports a failure to a call. What the call throws is its own fault and does not reach the connection. */
export function reportFailure(call: OutgoingCall, failure: UpstreamFailure): void {
  try {
    call.handleFailure(failure)
  } catch (error) {
    call.handleFault(error)
  }
}

/** Reports to a call that its answer is whole. */
export function reportEnd(call: OutgoingCall): void {
  try {
    call.handleEnd()
  } catch (error) {
    call.handleFault(error)
  }
}
