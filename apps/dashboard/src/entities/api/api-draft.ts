import type { CallInput, Routes } from '@gatehouse/contract'
import { SharedValue } from '../../lib/browser/shared-value.ts'

/** The form of an API as it is now, for what is shown beside it. */
export interface DraftedApi {
  /** Its upstream is called over HTTP. */
  isHttp: boolean
  /** It holds something that is not saved. */
  isUnsaved: boolean
  /** What Save would send. */
  toDefinition: () => CallInput<Routes['POST /api/apis/:id/try-changes']>['body']['definition']
  /** Puts messages under the fields that they belong to, and moves the focus to the first. */
  showErrors: (errors: Record<string, string>) => void
}

/** Hands the form on without rendering the whole screen again at each key; undefined until it is there. */
export class ApiDraft extends SharedValue<DraftedApi | undefined> {
  constructor() {
    super(undefined)
  }
}
