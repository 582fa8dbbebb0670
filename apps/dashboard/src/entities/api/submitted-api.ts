import type { ApiRecord, SubmittedApi } from '@gatehouse/contract'

/** wire (spec: entities): an API's definition travels as a JSON string (`submitted_data`). */
export function readSubmittedApi(record: ApiRecord): SubmittedApi {
  return JSON.parse(record.submitted_data) as SubmittedApi
}
