import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'

/** The token in clear text is in this answer alone. The checklist of a new product ticks it. */
export const useFirstToken = (userId: number, onToken: (token: string) => void) =>
  useAction(
    ['first-steps'],
    async () => {
      const body = { user: userId, name: 'First steps' }
      return (await call('POST /admin/token/store', { body })).access_token
    },
    { gcTime: 0, onSuccess: ({ token }) => onToken(token) },
  )

type Trial = CallInput<Routes['POST /api/endpoint/:id/try']>['body']

/** One call through the gateway. */
export const useFirstCall = (onAnswer: (status: number) => void) =>
  useAction(
    ['first-steps'],
    ({ id, ...body }: { id: number } & Trial) =>
      call('POST /api/endpoint/:id/try', { params: { id }, body }),
    { onSuccess: ({ answer }) => onAnswer(answer.status) },
  )
