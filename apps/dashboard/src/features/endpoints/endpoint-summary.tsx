import type { ReactNode } from 'react'
import { GatewayUrl } from '../../entities/endpoint/gateway-url.tsx'
import { FormSummary } from '../../ui/form/form-summary.tsx'
import type { EndpointFormValues } from './endpoint-form-values.ts'
import type { ApiChoice } from './endpoint-queries.ts'

interface EndpointSummaryProps {
  values: EndpointFormValues
  api: ApiChoice | undefined
  children?: ReactNode
}

export function EndpointSummary({ values, api, children }: EndpointSummaryProps) {
  const { method_type, path, status, authentication } = values
  const hasUrl = api !== undefined && path.startsWith('/')
  const needsToken = authentication || api?.demandsToken === true
  return (
    <FormSummary
      facts={[
        ['Call', `${method_type.toUpperCase()} ${path || '/'}`],
        ['API', api?.label ?? 'Not chosen yet'],
        ['Status', status],
        ['Callers', needsToken ? 'A personal token with access' : 'Anyone'],
        ...(hasUrl
          ? [['Gateway URL', <GatewayUrl key="url" path={`/${api.context}${path}`} />] as const]
          : []),
      ]}
    >
      {children}
    </FormSummary>
  )
}
