// Preloaded into Assize, it makes traces and sends them to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. See traces.md.
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const exporter = new OTLPTraceExporter()
const provider = new TracerProvider({
  spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(provider)
process.once('beforeExit', () => provider.shutdown())
