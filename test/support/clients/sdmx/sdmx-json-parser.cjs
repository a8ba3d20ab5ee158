// What sdmx-json-parser, an independent reader of SDMX-JSON, reads from a server. The path of its code is the first word.
const { SDMXParser } = require(process.argv[2])

const { SDMX_BASE: base, SDMX_KEY: key } = process.env

async function show(name, path) {
  const parser = new SDMXParser()
  await parser.getDatasets(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })
  for (const { SERIES, FREQ, TIME_PERIOD, value } of parser.getData())
    process.stdout.write(`${name} ${SERIES} ${FREQ} ${TIME_PERIOD} ${value}\n`)
}

show('now', '/data/dataflow/ASSIZE/CUSTOM?format=jsondata')
  .then(() => show('then', '/data/dataflow/ASSIZE/CUSTOM/1.0/metal.M?asOf=2024-04-14&format=jsondata'))
  .catch(error => {
    process.stderr.write(`${error}\n`)
    process.exitCode = 1
  })
