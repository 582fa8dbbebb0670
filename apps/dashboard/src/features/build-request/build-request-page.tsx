import { useQuery } from '@tanstack/react-query'
import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page.tsx'
import { BuildRequestForm } from './build-request-form.tsx'
import { buildRequestMessages } from './build-request-messages.ts'
import { buildRequestQueries } from './build-request-queries.ts'

/** Fetch from one endpoint, map the data, send it to another (spec: build-request). */
export function BuildRequestPage() {
  const query = useQuery(buildRequestQueries.choices())
  return (
    <Page
      title="Build Request"
      subtitle="Fetch from one endpoint, map the data, and send it to another."
    >
      <EndpointChoices query={query} failureText={buildRequestMessages.choicesNotLoaded}>
        {(choices) => <BuildRequestForm choices={choices} />}
      </EndpointChoices>
    </Page>
  )
}
