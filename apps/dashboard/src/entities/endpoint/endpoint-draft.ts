import type { CallInput, Routes } from '@gatehouse/contract'
import { SharedValue, useSharedValue } from '../../lib/browser/shared-value.ts'

/** The form of an endpoint as it is now, for what is shown beside it. */
export interface DraftedEndpoint {
  /** As the wire spells it: `get`. */
  method: string
  path: string
  /** Prefix of the chosen API on the gateway; undefined: none is chosen. */
  context: string | undefined
  /** It takes WebSockets. */
  isWebSocket: boolean
  /** It holds something that is not saved. */
  isUnsaved: boolean
  /** It is to move to another API, which takes it from the roles that have access. */
  isMoved: boolean
  /** What Save would send. */
  toDefinition: () => CallInput<Routes['POST /api/endpoint']>['body']
  /** Puts messages under the fields that they belong to, and moves the focus to the first. */
  showErrors: (errors: Record<string, string>) => void
}

/** Hands the form on without rendering the whole screen again at each key. */
export class EndpointDraft extends SharedValue<DraftedEndpoint | undefined> {
  constructor() {
    super(undefined)
  }
}

/** Undefined until the form is there. */
export const useDraftedEndpoint = (draft: EndpointDraft): DraftedEndpoint | undefined =>
  useSharedValue(draft)
