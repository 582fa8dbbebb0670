import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'

/** An endpoint as it would be saved, for one request that the control plane signs. */
export interface UnsavedEndpoint {
  /** Of that request. */
  trace_id: string
  /** Its id is 0 where no role has access to it yet: it is new, or moves to another API. */
  endpoint: SnapshotEndpoint
  /** Id of the endpoint whose place it would take; null: it is new. */
  replaces: number | null
  /**
   * Its API as it would be saved, with a credential that needs no token any more; null: as it is served. Its id
   * is 0 where it is new.
   */
  api: SnapshotApi | null
}

/** To a worker, before the request is sent. */
export interface UnsavedEndpointMessage {
  type: 'unsaved-endpoint'
  unsaved: UnsavedEndpoint
}

/** From a worker: the request that tries it may be sent. */
export interface UnsavedHeldMessage {
  type: 'unsaved-held'
  trace_id: string
}
