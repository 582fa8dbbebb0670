import { existsSync } from 'node:fs'
import { runSuite } from './json-schema/suite.ts'

// The public JSON-Schema-Test-Suite (MIT, of 2020-12) against the checks of schemas. `npm run proof -- json-schema <folder>` takes
// the folder with its files; without one, where Debian's libtest-json-schema-acceptance-perl has them. Cases of our own
// are in packages/contract/src/json-schema/testing.
const debian = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/draft2020-12'
const folder = process.argv[2] ?? debian

/** Schemas that refer to documents of the network, or are described by one. */
const needsNetwork =
  /^(?:refRemote|vocabulary): |^dynamicRef: (?:strict-tree|tests for implementation dynamic anchor|\$ref and \$dynamicAnchor are independent)/

if (!existsSync(folder)) {
  console.error(
    `There is no ${folder}: install libtest-json-schema-acceptance-perl, or name the folder of the suite.`,
  )
  process.exit(2)
}
const { schemas, cases, refused, otherwise } = runSuite(folder)
const unexpected = refused.filter((each) => !needsNetwork.test(each))
console.log(
  `${schemas} schemas: ${refused.length - unexpected.length} need the network, ${unexpected.length} others are refused`,
)
for (const each of unexpected) console.log(`  ${each}`)
console.log(`${cases} cases: ${otherwise.length} judged otherwise`)
for (const each of otherwise) console.log(`  ${each}`)
if (unexpected.length + otherwise.length > 0) process.exitCode = 1
