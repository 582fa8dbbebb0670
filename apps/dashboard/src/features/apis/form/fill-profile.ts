import type { ApiFormValues } from './api-form-values.ts'
import { authorityProfiles, type AuthorityProfile } from './authority-profiles.ts'
import { noCredential } from '../sign-in/credential-draft.ts'

/** What a profile changes in the form. An address that was typed stays. */
export function fillProfile(
  values: ApiFormValues,
  name: string,
  { isNew }: { isNew: boolean },
): Partial<ApiFormValues> {
  const profile = authorityProfiles[name]
  if (!profile) return { profile: '', endpoints: [] }
  const test_api_url = addressOf(values, profile, 'test_api_url')
  return {
    profile: name,
    credential: { ...values.credential, ...profile.credential },
    ...staticHeadersOf(values, profile),
    test_api_url,
    ...testCredentialOf(values, profile, test_api_url),
    ...(isNew
      ? {
          api_url: addressOf(values, profile, 'api_url'),
          endpoints: (profile.endpoints ?? []).map((endpoint) => ({ ...endpoint, isChosen: true })),
        }
      : {}),
  }
}

function addressOf(
  values: ApiFormValues,
  profile: AuthorityProfile,
  field: 'api_url' | 'test_api_url',
): string {
  const typed = values[field] ?? ''
  const isFilled = Object.values(authorityProfiles).some((each) => each[field] === typed)
  return typed.trim() === '' || isFilled ? (profile[field] ?? '') : typed
}

/** Only what an earlier choice has filled in goes away. */
function staticHeadersOf({ profile: earlier }: ApiFormValues, { staticHeaders }: AuthorityProfile) {
  if (staticHeaders) return { static_headers: staticHeaders }
  return authorityProfiles[earlier]?.staticHeaders ? { static_headers: [] } : {}
}

function testCredentialOf(
  { profile: earlier, test_credential }: ApiFormValues,
  { testCredential }: AuthorityProfile,
  test_api_url: string,
) {
  if (testCredential && test_api_url !== '') {
    return { test_credential: { ...test_credential, ...testCredential } }
  }
  return authorityProfiles[earlier]?.testCredential ? { test_credential: noCredential } : {}
}
