// `GET /sdmx/v2/data/…`: both clocks, histories, changes and filters, in the three formats, over a real server.
import { beforeAll, describe, expect, test } from 'vitest'
import { house } from '../support/houses/house.ts'

const firstPrints = `series,period,value,version,published,name,unit
CUSTOM/metal,2023-12,100.0,FINAL,2024-01-15,"Metal, all",2015=100
CUSTOM/metal,2024-01,101.10,PRELIMINARY,2024-02-15,,
CUSTOM/metal,2024-02,102.25,PRELIMINARY,2024-03-15,,
CUSTOM/EXR.D.USD/EUR,2024-03-01,1.0810,FINAL,2024-03-01,Dollar,USD per EUR
CUSTOM/EXR.D.USD/EUR,2024-03-04,1.0849,FINAL,2024-03-04,,
CUSTOM/wages,2024-H1,55,FINAL,2024-07-15,Wages,index
`
const revised = `series,period,value,version,published
CUSTOM/metal,2024-01,101.30,REVISED,2024-04-15
`

const { tenant } = house()
let beforeRevision: string
let afterWithdrawal: string
beforeAll(async () => {
  await tenant.import(firstPrints)
  beforeRevision = await tenant.import(`series,period,value,published\nCUSTOM/other,2024,1,2024-05-01\n`)
  await tenant.import(revised)
  afterWithdrawal = await tenant.withdraw('CUSTOM/metal', ['2024-02'], '2024-05-15T00:00:00.000000Z')
})

const flow = '/sdmx/v2/data/dataflow/ASSIZE/CUSTOM/1.0'
const ask = (path: string, accept = 'application/vnd.sdmx.data+csv;version=2.0.0') =>
  tenant.api.ask(path, { headers: { ...tenant.authorization, accept } })

test('try', async () => {
  for (const accept of ['text/csv', 'application/json', 'application/vnd.sdmx.data+xml;version=3.0.0', 'application/xml']) {
    const { status, text, headers } = await ask(`${flow}/metal`, accept)
    console.log(status, headers, text)
  }
  console.log((await ask(`${flow}/metal?includeHistory=true`)).text)
  console.log((await ask(`${flow}/*?updatedAfter=${beforeRevision}`)).text)
  console.log((await ask(`${flow}/metal?includeHistory=true`, 'application/vnd.sdmx.data+xml')).text)
  console.log((await ask(`${flow}/metal?includeHistory=true`, 'application/json')).text)
  console.log((await ask(`${flow}/`)).text)
  console.log((await ask(`${flow}/nothing`)).text)
  console.log((await ask(`/sdmx/v2/structure/dataflow`, '*/*')).text)
  console.log((await ask(`/sdmx/v2/structure/datastructure/ASSIZE/CUSTOM?references=children`, 'application/vnd.sdmx.structure+xml')).text)
  console.log((await ask(`/sdmx/v2/availability/dataflow/ASSIZE/CUSTOM`, 'application/json')).text)
})
