import { useParams } from 'react-router'

/** The record that the address names. */
export function useRecordId(): number {
  return Number(useParams()['id'])
}
