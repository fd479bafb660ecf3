package file

import "go.yaml.in/yaml/v4"

var queueKeys = []key{
	{"name", "name: Q", true},
	{"bucket_of", "bucket_of: Q", false},
	{"design", "design: futex-oneshot", false},
}

// queues reads the queues. Most are a name. A mapping says more: that the word of a stranger's
// queue falls into the futex hash bucket of another, or that a queue has a design of its own,
// whatever is tested.
func (r *reader) queues(v value) {
	for _, item := range r.list(v, "a queue", "a list of names, as in [Q]") {
		if item.Kind != yaml.MappingNode {
			if name, ok := r.text(item, "a name, as in [Q], or a mapping, as in "+
				"{name: X, bucket_of: Q}"); ok {
				r.addQueue(item, name, int32(len(r.out.Queues)), "")
			}
			continue
		}
		f, ok := r.mapping(item, "as in {name: X, bucket_of: Q}", queueKeys)
		if !ok {
			continue
		}
		name, ok := f.get("name")
		if !ok {
			continue
		}
		text, ok := r.text(name, "a name")
		if !ok {
			continue
		}
		f.owner = "queue " + quoteUnlessName(text)
		r.addQueue(name, text, r.bucketOf(f), r.designOf(f))
	}
}

func (r *reader) addQueue(at value, name string, bucket int32, design string) {
	r.declare(at.Node, name, nameQueue, int32(len(r.out.Queues)))
	r.out.Queues = append(r.out.Queues, name)
	r.out.Buckets = append(r.out.Buckets, bucket)
	r.scenario.Designs = append(r.scenario.Designs, design)
}

// bucketOf reads in whose bucket a queue's word is: in its own, or in that of one before it.
func (r *reader) bucketOf(f fields) int32 {
	own := int32(len(r.out.Queues))
	v, ok := f.get("bucket_of")
	if !ok {
		return own
	}
	name, ok := r.text(v, "the name of a queue")
	if !ok {
		return own
	}
	d, known := r.names[name]
	if !known || d.kind != nameQueue {
		r.node(v.Node, "%s is %s, no queue before it; name one that stands before it", v.what,
			quote(name))
		return own
	}
	return r.out.Buckets[d.index]
}

// designOf reads the design that a queue has in any case, "" if it has the tested one.
func (r *reader) designOf(f fields) string {
	v, ok := f.get("design")
	if !ok {
		return ""
	}
	name, ok := r.text(v, "the name of a design")
	if ok {
		r.design(v, name)
	}
	return name
}
