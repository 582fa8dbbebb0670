import { useQuery } from '@tanstack/react-query'
import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page.tsx'
import { BundleFrame } from './bundle-frame.tsx'
import { bundleQueries } from './bundle-queries.ts'
import { CreditFields } from './credit-fields.tsx'
import type { RenderRun } from './send-status.tsx'
import { taxMessages } from './tax-messages.ts'

/** Three endpoints, one after the other (spec: credit-request). */
export function CreditPage({ renderRun }: { renderRun?: RenderRun | undefined }) {
  const query = useQuery(bundleQueries.choices('credit'))
  return (
    <Page
      title="Credit Request"
      subtitle="Up to three endpoints, one after the other; each step begins when the one before it has succeeded."
    >
      <EndpointChoices query={query} failureText={taxMessages.choicesNotLoaded}>
        {(choices) => (
          <BundleFrame
            kind="credit"
            label="Credit request"
            permission="credit.send"
            renderRun={renderRun}
          >
            {(fields) => <CreditFields {...fields} choices={choices} />}
          </BundleFrame>
        )}
      </EndpointChoices>
    </Page>
  )
}
