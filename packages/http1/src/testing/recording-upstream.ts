import { onTestFinished } from 'vitest'
import { answerOk, openRecordingUpstream } from './open-upstream.ts'
import type { Answering, RecordingUpstream } from './open-upstream.ts'

export { answerOk } from './open-upstream.ts'
export type { Answering, RecordedRequest, RecordingUpstream } from './open-upstream.ts'

/** The same until the test is over. */
export async function startRecordingUpstream(
  answer: Answering = answerOk,
): Promise<RecordingUpstream> {
  const upstream = await openRecordingUpstream(answer)
  onTestFinished(() => upstream.close())
  return upstream
}
