import { List, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import type { ConsumerDocs } from '@gatehouse/contract'
import classes from './consumer-docs.module.css'

const answers: [status: string, meaning: string][] = [
  ['401', 'There is no token, or it is unknown, has expired or was revoked.'],
  ['403', 'The token has no access to this endpoint, or the API is internal.'],
  ['404', 'No endpoint has this address.'],
  ['422', 'The request does not fit what the endpoint takes: “errors” names each place.'],
  ['429', 'Too many requests. Wait as long as Retry-After says.'],
  ['502', 'The API could not be reached, or its answer broke off.'],
  ['503', 'The API is switched off or busy. Retry-After may say how long to wait.'],
  [
    '504',
    'The API did not answer in time. A change may have been made: look before you repeat it.',
  ],
]

const signatureInput =
  'Signature-Input: sig=("@method" "@target-uri" "content-digest");created=…;nonce="…";keyid="…";alg="hmac-sha256"'

/** How to authenticate, and what the gateway answers itself. */
export function DocsGuide({ docs }: { docs: ConsumerDocs }) {
  const guarded = docs.apis.filter(({ endpoints }) =>
    endpoints.some(({ requires_token }) => requires_token),
  )
  const asksForToken = guarded.some((api) => !api.is_signed)
  const takesJwts = guarded.some((api) => api.takes_jwts)
  const asksForSignature = guarded.some((api) => api.is_signed)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="docs-token">
        <Title order={3} size="h4" id="docs-token">
          How to authenticate
        </Title>
        {guarded.length === 0 && (
          <Text size="sm" mt={4}>
            These endpoints ask for no token.
          </Text>
        )}
        {asksForToken && (
          <>
            <Text size="sm" mt={4}>
              Send a personal access token with each call to an endpoint that is marked “token”.
              Keep it where no browser and no repository sees it.
            </Text>
            <code className={classes['line']}>Authorization: Bearer ghp_…</code>
            {takesJwts && (
              <Text size="sm" mt={4}>
                A JWT of a login that the gateway trusts counts in its place.
              </Text>
            )}
          </>
        )}
        {asksForSignature && (
          <>
            <Text size="sm" mt={4}>
              Sign each call to an endpoint that is marked “signed” by RFC 9421, with the signing
              secret of a personal access token. A signature counts once.
            </Text>
            <code className={classes['line']} dir="ltr">
              {signatureInput}
            </code>
            <Text size="sm" mt={4}>
              keyid is the id of the token. Without a body, content-digest is left out.
            </Text>
          </>
        )}
        <Text size="sm" mt="sm">
          Every address begins with
        </Text>
        <code className={classes['line']}>{docs.gateway_url}</code>
        <Text size="sm" c="dimmed" mt="sm">
          In the samples, GATEHOUSE_TOKEN in the environment holds the token. Fill in what is in
          braces.
        </Text>
      </Paper>
      <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="docs-errors">
        <Title order={3} size="h4" id="docs-errors">
          What the gateway answers itself
        </Title>
        <List listStyleType="none" size="sm" mt={4} spacing={2}>
          {answers.map(([status, meaning]) => (
            <List.Item key={status}>
              <strong>{status}</strong> {meaning}
            </List.Item>
          ))}
        </List>
        <Text size="sm" mt="sm">
          The body is JSON. Give its <code>request_id</code> to those who run the gateway.
        </Text>
        <code className={classes['line']}>
          {'{"message": "…", "code": "client.token_invalid", "request_id": "…"}'}
        </code>
      </Paper>
    </SimpleGrid>
  )
}
