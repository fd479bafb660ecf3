package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// Field numbers, from the messages of protos/perfetto/trace in google/perfetto (August 2026).
const (
	tracePacket = 1 // of Trace

	packetFtrace     = 1 // of TracePacket
	packetTree       = 2
	packetTime       = 8
	packetSequence   = 10
	packetEvent      = 11
	packetFlags      = 13
	packetDescriptor = 60
	packetInterest   = 90

	treeProcesses, treeThreads        = 1, 2 // of ProcessTree
	processPID, processCommand        = 1, 3
	threadTID, threadName, threadTGID = 1, 2, 3

	interestStart = 1 // of TrackEventRangeOfInterest, microseconds

	trackUUID, trackName          = 1, 2 // of TrackDescriptor
	trackThread, trackParent      = 4, 5
	trackCounter                  = 8
	descriptorPID, descriptorTID  = 1, 2 // of ThreadDescriptor
	descriptorThreadName          = 5
	counterUnitName               = 6    // of CounterDescriptor
	eventAnnotation, eventType    = 4, 9 // of TrackEvent
	eventTrack, eventCategory     = 11, 22
	eventName, eventValue         = 23, 30
	eventFlow, eventFlowEnd       = 47, 48
	annotationInt, annotationName = 4, 10 // of DebugAnnotation

	bundleCPU, bundleEvent     = 1, 2 // of FtraceEventBundle
	ftraceTime, ftracePID      = 1, 2 // of FtraceEvent
	ftraceSwitch, ftraceWakeup = 4, 17
	ftraceWaking               = 20
	ftraceIRQEntry             = 36
	ftraceIRQExit              = 37
	ftraceSetprio              = 353
	ftraceMigrate              = 491
)

// The types of TrackEvent that are written.
const (
	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4
)

// message is a protobuf message as it is built.
type message []byte

// number adds a varint; a negative one takes ten bytes, as int32 and int64 do.
func (m *message) number(field protowire.Number, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
}

// fixed adds a fixed64.
func (m *message) fixed(field protowire.Number, v uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), v)
}

// text adds a string, which is given in pieces.
func (m *message) text(field protowire.Number, pieces ...string) {
	length := 0
	for _, piece := range pieces {
		length += len(piece)
	}
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.BytesType),
		uint64(length))
	for _, piece := range pieces {
		*m = append(*m, piece...)
	}
}

// message adds a message.
func (m *message) message(field protowire.Number, v message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}
